/// A fault of a binary geometry; offsets count from its first byte.
package enum BinaryGeometryFault: Error, Equatable, Sendable {
    case truncated(offset: Int)
    case bytesLeftOver(offset: Int)
    case unknownByteOrder(UInt8, offset: Int)
    case unknownType(UInt32, offset: Int)
    /// A MultiPoint with a member of another kind.
    case memberIsNoPoint(offset: Int)
    /// A GeoPackage envelope of a kind that is not in the standard (OGC 12-128r19 2.1.3.1.1).
    case unknownEnvelope(UInt8)
    /// Collections that are nested too deeply.
    case tooDeep(offset: Int)
    /// A GeoPackage geometry with a vendor's extension (OGC 12-128r19 2.1.3.1.1, flag X).
    case extendedGeoPackage
    /// A valid geometry that does not consist of points.
    case notPoints(String)
}

extension BinaryGeometryFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .truncated(let offset): "the binary geometry ends at byte \(offset), too early"
        case .bytesLeftOver(let offset):
            "the binary geometry is complete at byte \(offset), but more bytes follow"
        case .unknownByteOrder(let order, let offset):
            "not a binary geometry: byte \(offset) gives the byte order \(order), not 0 or 1"
        case .unknownType(let type, let offset):
            "the binary geometry has the unknown type \(type) at byte \(offset)"
        case .memberIsNoPoint(let offset):
            "the MultiPoint has a member at byte \(offset) that is not a Point"
        case .unknownEnvelope(let kind): "the GeoPackage geometry has an envelope of kind \(kind)"
        case .tooDeep(let offset): "geometries nest too deeply at byte \(offset)"
        case .extendedGeoPackage: "the GeoPackage geometry is of an extended, private kind"
        case .notPoints(let name): "the geometry is a \(name)"
        }
    }
}
