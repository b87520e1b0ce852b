/// A view of one feature of a FlatGeobuf file.
package struct FlatGeobufFeature: ~Escapable {
    /// The coordinates: x and y alternate, eight bytes each.
    private let xy: Span<UInt8>
    private let propertyBytes: Span<UInt8>
    /// The point that represents a line or an area, as x and y.
    private var standIn: [Double]?
    /// The columns of a feature that declares its own, as in files without a common schema.
    package let ownColumns: [FlatGeobufColumn]?

    /// A limit above the size of any realistic feature of points.
    package static let maximumByteCount = 256 << 20

    /// Reads a feature's table, whose fields are 0 geometry, 1 properties, 2 columns.
    /// - Parameters:
    ///   - bytes: all bytes of the feature.
    ///   - geometryType: the type of all features in the header; 0 leaves it to each.
    ///   - rule: the point that represents a line or an area; nil rejects those.
    @_lifetime(copy bytes)
    package init(
        _ bytes: Span<UInt8>, geometryType: UInt8, pointsFrom rule: PointsFrom? = nil
    ) throws(FlatGeobufFault) {
        let table = try FlatTable(rootOf: bytes)
        if let rule, let geometry = try table.table(0),
            let outline = try Outline(geometry, type: geometryType)
        {
            xy = Span()
            standIn = outline.positions(rule)
        } else {
            xy = try Self.coordinates(of: table, geometryType: geometryType)
        }
        propertyBytes = try table.vector(1, elementSize: 1)
        let columns = try FlatGeobufColumn.list(in: table, field: 2, byteCount: bytes.count)
        ownColumns = columns.isEmpty ? nil : columns
    }

    /// The number of points; 0 for an empty or absent geometry.
    package var pointCount: Int { (standIn?.count ?? xy.count / 8) / 2 }

    /// The coordinates of a point, which is less than `pointCount`.
    package func coordinates(of point: Int) -> (x: Double, y: Double) {
        precondition(point >= 0 && point < pointCount, "point index out of range")
        if let standIn { return (standIn[2 * point], standIn[2 * point + 1]) }
        func load(_ offset: Int) -> Double {
            let bits = unsafe xy.bytes.unsafeLoadUnaligned(
                fromUncheckedByteOffset: offset, as: UInt64.self)
            return Double(bitPattern: UInt64(littleEndian: bits))
        }
        return (load(16 * point), load(16 * point + 8))
    }

    /// The properties, one after another.
    @_lifetime(copy self)
    package func makePropertyCursor() -> FlatGeobufPropertyCursor {
        FlatGeobufPropertyCursor(propertyBytes)
    }

    /// Reads the geometry's table with the fields 1 xy and 6 type; its type is used if the header
    /// has none.
    @_lifetime(copy table)
    private static func coordinates(
        of table: borrowing FlatTable, geometryType: UInt8
    ) throws(FlatGeobufFault) -> Span<UInt8> {
        guard let geometry = try table.table(0) else { return Span() }
        let type = try geometryType == 0 ? geometry.integer(6, default: 0) : geometryType
        guard type == 1 || type == 4 else { throw .notPoints(name(ofType: type)) }
        let xy = try geometry.vector(1, elementSize: 8)
        let count = xy.count / 8
        guard count % 2 == 0, type == 4 || count <= 2 else { throw .badCoordinateCount(count) }
        return xy
    }

    static func name(ofType type: UInt8) -> String {
        // The numbers are those of well-known binary.
        let names = BinaryGeometry.names
        if type == 0 { return "geometry of no known type" }
        return type < names.count ? names[Int(type)] : "geometry of type \(type)"
    }
}
