import Conversion

/// Figures of an attribute of a layer, and of the bytes that it takes.
public struct AttributeFigures: Sendable {
    /// The name as it is written in tiles.
    let key: [UInt8]
    /// The number of features that have it.
    public internal(set) var features = 0
    package internal(set) var kinds: ValueKinds = []
    /// Bytes of its name in the layers' lists of keys.
    public internal(set) var keyBytes = 0
    /// Bytes of its values in the layers' lists; a value that several attributes share is counted
    /// for the first of them.
    public internal(set) var valueBytes = 0
    /// Bytes of its tags in features.
    public internal(set) var tagBytes = 0

    init(key: [UInt8]) { self.key = key }

    public var name: String { String(decoding: key, as: UTF8.self) }
    public var bytes: Int { keyBytes + valueBytes + tagBytes }

    mutating func merge(_ other: AttributeFigures, times: Int) {
        features += other.features * times
        kinds.formUnion(other.kinds)
        keyBytes += other.keyBytes * times
        valueBytes += other.valueBytes * times
        tagBytes += other.tagBytes * times
    }
}
