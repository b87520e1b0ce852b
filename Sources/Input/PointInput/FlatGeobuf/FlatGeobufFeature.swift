/// A view of one feature of a FlatGeobuf file.
package struct FlatGeobufFeature: ~Escapable {
    private let propertyBytes: Span<UInt8>
    /// The columns of a feature that declares its own, as in files without a common schema.
    package let ownColumns: [FlatGeobufColumn]?

    /// A limit above the size of any realistic feature of points.
    package static let maximumByteCount = 256 << 20

    /// Reads a feature's table, whose fields are 0 geometry, 1 properties, 2 columns.
    /// - Parameters:
    ///   - bytes: all bytes of the feature.
    ///   - geometryType: the type of all features in the header; 0 leaves it to each.
    ///   - rule: the point that represents a line or an area; nil rejects those.
    ///   - positions: receives the positions, x and y alternating; none for an empty or absent geometry.
    @_lifetime(copy bytes)
    package init(
        _ bytes: Span<UInt8>, geometryType: UInt8, pointsFrom rule: PointsFrom? = nil,
        positions: inout [Double]
    ) throws(FlatGeobufFault) {
        let table = try FlatTable(rootOf: bytes)
        positions.removeAll(keepingCapacity: true)
        if let geometry = try table.table(0) {
            try Self.read(geometry, type: geometryType, pointsFrom: rule, into: &positions)
        }
        propertyBytes = try table.vector(1, elementSize: 1)
        let columns = try FlatGeobufColumn.list(in: table, field: 2, byteCount: bytes.count)
        ownColumns = columns.isEmpty ? nil : columns
    }

    /// The properties, one after another.
    @_lifetime(copy self)
    package func makePropertyCursor() -> FlatGeobufPropertyCursor {
        FlatGeobufPropertyCursor(propertyBytes)
    }

    /// Reads the geometry's table with the fields 1 xy and 6 type; its type is used if the header
    /// has none.
    private static func read(
        _ geometry: borrowing FlatTable, type: UInt8, pointsFrom rule: PointsFrom?,
        into positions: inout [Double]
    ) throws(FlatGeobufFault) {
        let type = try type == 0 ? geometry.integer(6, default: 0) : type
        // An empty point has NaN twice, as in WKB.
        func add(_ x: Double, _ y: Double) {
            if x.isNaN && y.isNaN { return }
            positions.append(x)
            positions.append(y)
        }
        guard type == 1 || type == 4 else {
            guard let rule else { throw .notPoints(name(ofType: type)) }
            let found = try Outline(geometry, type: type).positions(rule)
            for index in stride(from: 0, to: found.count, by: 2) {
                add(found[index], found[index + 1])
            }
            return
        }
        let xy = try geometry.vector(1, elementSize: 8)
        let count = xy.count / 8
        guard count % 2 == 0, type == 4 || count <= 2 else { throw .badCoordinateCount(count) }
        for index in stride(from: 0, to: xy.count, by: 16) {
            add(try FlatTable.double(xy, at: index), try FlatTable.double(xy, at: index + 8))
        }
    }

    static func name(ofType type: UInt8) -> String {
        // The numbers are those of well-known binary.
        let names = BinaryGeometry.names
        if type == 0 { return "geometry of no known type" }
        return type < names.count ? names[Int(type)] : "geometry of type \(type)"
    }
}
