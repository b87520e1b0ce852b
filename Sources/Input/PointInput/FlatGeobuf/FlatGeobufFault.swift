/// A fault of a FlatGeobuf file or one of its features.
package enum FlatGeobufFault: Error, Equatable, Sendable {
    /// The first bytes are not those of a FlatGeobuf file.
    case noMagic
    /// A major version other than 3.
    case unknownVersion(UInt8)
    case headerTooLarge(bytes: Int)
    case featureTooLarge(bytes: Int)
    /// The file ends in the header or in the index.
    case truncated
    /// An offset or a length that exceeds the header or the feature.
    case badOffset(at: Int)
    /// There are more bytes than the features that the header counts.
    case bytesLeftOver
    case tooManyColumns(Int)
    case unknownColumnType(UInt8, column: Int)
    /// A property with a column that neither the header nor the feature has.
    case noSuchColumn(Int)
    case truncatedProperties
    /// A Point whose number of coordinates is neither 0 nor 2, or an odd number of them.
    case badCoordinateCount(Int)
    case tooManyVertices
    case badIndexSize(nodeSize: Int, features: UInt64)
    /// A valid geometry that does not consist of points.
    case notPoints(String)
}

extension FlatGeobufFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noMagic: "this is not a FlatGeobuf file: it does not start with \"fgb\" 3 \"fgb\""
        case .unknownVersion(let version):
            "FlatGeobuf version \(version) is not known; version 3 is"
        case .headerTooLarge(let bytes): "the header claims \(bytes) bytes, which is too large"
        case .featureTooLarge(let bytes): "the feature claims \(bytes) bytes, which is too large"
        case .truncated: "the file ends too early"
        case .badOffset(let offset): "an offset leads out of bounds, to \(offset)"
        case .bytesLeftOver: "more bytes follow than the header's count of features"
        case .tooManyColumns(let count): "\(count) columns are more than can be numbered"
        case .unknownColumnType(let type, let column):
            "column \(column) has the unknown type \(type)"
        case .noSuchColumn(let column): "a property names column \(column), which is not there"
        case .truncatedProperties: "the properties end in the middle of a value"
        case .badCoordinateCount(let count): "\(count) coordinates do not make points"
        case .tooManyVertices: "its parts have more vertices than any line or area"
        case .badIndexSize(let nodeSize, let features):
            "an index of \(features) features by nodes of \(nodeSize) cannot be"
        case .notPoints(let name): "the geometry is a \(name)"
        }
    }
}
