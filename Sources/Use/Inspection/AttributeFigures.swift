import VectorTile

/// Figures of an attribute of a layer, and of the bytes that it takes.
public struct AttributeFigures: Sendable {
    /// The kinds of values that an attribute has.
    public struct Kinds: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let number = Kinds(rawValue: 1)
        public static let bool = Kinds(rawValue: 2)
        public static let string = Kinds(rawValue: 4)
    }

    /// The name as it is written in tiles.
    let key: [UInt8]
    /// The number of features that have it.
    public internal(set) var features = 0
    public internal(set) var kinds: Kinds = []
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

extension AttributeFigures.Kinds {
    /// The kind of a value message (MVT 4.1), by its field number.
    init(ofValue bytes: Span<UInt8>) {
        switch bytes[0] >> 3 {
        case 1: self = .string
        case 7: self = .bool
        default: self = .number
        }
    }

    /// The type in the words of TileJSON (3.3.1), or a list of mixed types.
    public var words: String {
        var words: [String] = []
        if contains(.number) { words.append("Number") }
        if contains(.bool) { words.append("Boolean") }
        if contains(.string) { words.append("String") }
        return words.joined(separator: "|")
    }
}
