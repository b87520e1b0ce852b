/// The points of one well-known binary geometry, as databases store them.
///
/// It reads plain and ISO WKB (OGC 06-103r4 8.2), EWKB with its flags and SRID as PostGIS writes
/// it, and the GeoPackage form, which has a header in front (OGC 12-128r19 2.1.3). One value is
/// reused for row after row, so that a million rows do not need a million arrays.
package struct BinaryGeometry {
    /// The first two coordinates of each point, one after another (x, y, x, y, …); a point without
    /// coordinates is omitted.
    package private(set) var positions: [Double] = []
    /// The number of the reference system in the geometry, if it has one.
    package private(set) var referenceSystem: Int32?
    /// The outline of a line or an area.
    var outline = Outline()

    package init() {}

    /// The coordinates of the most common form: a little-endian point with two of them and no
    /// reference system. Nil for other forms.
    @inline(__always)
    static func plainPoint(_ bytes: Span<UInt8>) -> (x: Double, y: Double)? {
        guard bytes.count == 21, bytes[0] == 1 else { return nil }
        let raw = unsafe bytes.bytes
        func word<Word: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _: Word.Type) -> Word {
            Word(
                littleEndian: unsafe raw.unsafeLoadUnaligned(
                    fromByteOffset: offset, as: Word.self))
        }
        guard word(1, UInt32.self) == 1 else { return nil }
        let x = Double(bitPattern: word(5, UInt64.self))
        let y = Double(bitPattern: word(13, UInt64.self))
        return x.isNaN || y.isNaN ? nil : (x, y)
    }

    /// Reads a Point or a MultiPoint, and discards what was read before.
    /// - Parameters:
    ///   - bytes: all bytes of the geometry.
    ///   - rule: the point that represents another kind of geometry; nil rejects those.
    package mutating func read(
        _ bytes: Span<UInt8>, pointsFrom rule: PointsFrom? = nil
    ) throws(BinaryGeometryFault) {
        positions.removeAll(keepingCapacity: true)
        referenceSystem = nil
        var cursor = GeometryCursor(bytes)
        if bytes.count >= 2, bytes[0] == UInt8(ascii: "G"), bytes[1] == UInt8(ascii: "P") {
            try readGeoPackageHeader(&cursor)
        }
        let head = try readHead(&cursor)
        switch head.shape {
        case .point: try readPoint(of: head, &cursor)
        case .multiPoint: try readMultiPoint(&cursor)
        case .lineString, .polygon, .multiLineString, .multiPolygon, .collection:
            guard let rule else { throw .notPoints(Self.name(of: head.shape)) }
            outline.reset()
            try readOutline(of: head, &cursor)
            positions = outline.positions(rule)
        }
        guard cursor.isAtEnd else { throw .bytesLeftOver(offset: cursor.offset) }
    }

    /// The header in front of a GeoPackage geometry: magic, version, flags, SRS, envelope.
    private mutating func readGeoPackageHeader(
        _ cursor: inout GeometryCursor
    ) throws(BinaryGeometryFault) {
        try cursor.skip(3)
        let flags = try cursor.readByte()
        // Flag bits: --XYEEEB (extended, empty, envelope kind, byte order).
        guard flags & 0x20 == 0 else { throw .extendedGeoPackage }
        cursor.isLittleEndian = flags & 1 == 1
        referenceSystem = Int32(bitPattern: try cursor.readUInt32())
        switch flags >> 1 & 7 {
        case 0: break
        case 1: try cursor.skip(32)
        case 2, 3: try cursor.skip(48)
        case 4: try cursor.skip(64)
        case let kind: throw .unknownEnvelope(kind)
        }
    }

    private mutating func readMultiPoint(_ cursor: inout GeometryCursor) throws(BinaryGeometryFault)
    {
        // The smallest point takes 21 bytes.
        for _ in 0..<(try readCount(&cursor, leastSize: 21)) {
            let start = cursor.offset
            let head = try readHead(&cursor)
            guard head.shape == .point else { throw .memberIsNoPoint(offset: start) }
            try readPoint(of: head, &cursor)
        }
    }

    private mutating func readPoint(
        of head: Head, _ cursor: inout GeometryCursor
    ) throws(BinaryGeometryFault) {
        let x = try cursor.readDouble()
        let y = try cursor.readDouble()
        try cursor.skip(8 * (head.dimensions - 2))
        // An empty point has NaN twice (OGC 12-128r19 2.1.3.1.1, requirement 152).
        if x.isNaN && y.isNaN { return }
        positions.append(x)
        positions.append(y)
    }
}

extension BinaryGeometry {
    enum Shape: UInt32 {
        case point = 1
        case lineString, polygon, multiPoint, multiLineString, multiPolygon, collection
    }

    struct Head {
        var shape: Shape
        var dimensions: Int
    }

    /// Reads the byte order, the type and, in EWKB, the SRID.
    mutating func readHead(_ cursor: inout GeometryCursor) throws(BinaryGeometryFault)
        -> Head
    {
        let start = cursor.offset
        let order = try cursor.readByte()
        guard order <= 1 else { throw .unknownByteOrder(order, offset: start) }
        cursor.isLittleEndian = order == 1
        let type = try cursor.readUInt32()
        // EWKB marks Z, M and SRID in the upper bits; ISO WKB adds 1000, 2000 or 3000.
        if type & 0x2000_0000 != 0 {
            referenceSystem = Int32(bitPattern: try cursor.readUInt32())
        }
        let code = type & 0x0FFF_FFFF
        let extra = code / 1000
        guard extra <= 3, type & 0x1000_0000 == 0 else {
            throw .unknownType(type, offset: start)
        }
        guard let shape = Shape(rawValue: code % 1000) else {
            guard code % 1000 < Self.names.count else { throw .unknownType(type, offset: start) }
            throw .notPoints(Self.names[Int(code % 1000)])
        }
        let hasZ = type & 0x8000_0000 != 0 || extra == 1 || extra == 3
        let hasM = type & 0x4000_0000 != 0 || extra >= 2
        return Head(shape: shape, dimensions: 2 + (hasZ ? 1 : 0) + (hasM ? 1 : 0))
    }

    private static func name(of shape: Shape) -> String { names[Int(shape.rawValue)] }

    /// OGC 06-103r4, table 7.
    static let names = [
        "Geometry", "Point", "LineString", "Polygon", "MultiPoint", "MultiLineString",
        "MultiPolygon", "GeometryCollection", "CircularString", "CompoundCurve",
        "CurvePolygon", "MultiCurve", "MultiSurface", "Curve", "Surface",
        "PolyhedralSurface", "TIN", "Triangle",
    ]
}
