/// Protocol-buffer scalars and tags, as in the encoding document of protocol buffers.
enum Wire {
    enum Kind: UInt8 {
        case varint = 0
        case fixed64 = 1
        case bytes = 2
        case fixed32 = 5

        /// The kind in the lowest three bits of a tag. `init(rawValue:)` is a call, which costs more than its
        /// work.
        @inline(__always)
        init?(ofTag tag: UInt64) {
            switch tag & 7 {
            case 0: self = .varint
            case 1: self = .fixed64
            case 2: self = .bytes
            case 5: self = .fixed32
            default: return nil
            }
        }
    }

    /// Field tags of a tile: field number << 3 | kind.
    static let tileLayer: UInt64 = 3 << 3 | 2
    static let layerVersion: UInt64 = 15 << 3 | 0
    static let layerName: UInt64 = 1 << 3 | 2
    static let layerFeature: UInt64 = 2 << 3 | 2
    static let layerKey: UInt64 = 3 << 3 | 2
    static let layerValue: UInt64 = 4 << 3 | 2
    static let layerExtent: UInt64 = 5 << 3 | 0
    static let featureID: UInt64 = 1 << 3 | 0
    static let featureTags: UInt64 = 2 << 3 | 2
    static let featureType: UInt64 = 3 << 3 | 0
    static let featureGeometry: UInt64 = 4 << 3 | 2

    static func zigzag(_ value: Int32) -> UInt32 {
        UInt32(bitPattern: (value << 1) ^ (value >> 31))
    }

    static func zigzag(_ value: UInt32) -> Int32 {
        Int32(bitPattern: value >> 1) ^ -Int32(bitPattern: value & 1)
    }
}
