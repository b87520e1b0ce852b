import Foundation
import PointInput
import Points
import TestSupport
import Testing

/// Lines and areas of binary formats, by hand and as GDAL writes them.
struct BinaryShapeTests {
    typealias Flat = FlatGeobufBytes

    static func wkb(_ type: UInt32, _ body: [UInt8]) -> [UInt8] { [1] + WKB.bytes(type) + body }

    static func list(_ elements: [[UInt8]]) -> [UInt8] {
        WKB.bytes(UInt32(elements.count)) + elements.joined()
    }

    static func vertices(_ places: [(Double, Double)], extra: Int = 0) -> [UInt8] {
        list(places.map { WKB.xy($0, $1) + [UInt8](repeating: 1, count: 8 * extra) })
    }

    static let square: [(Double, Double)] = [(0, 0), (8, 0), (8, 4), (0, 4), (0, 0)]
    static let hole: [(Double, Double)] = [(4, 1), (7, 1), (7, 3), (4, 3), (4, 1)]
    static let holedCentroid = (32 * 4 - 6 * 5.5) / 26

    static func read(_ bytes: [UInt8], _ rule: PointsFrom) throws(BinaryGeometryFault) -> [Double] {
        var geometry = BinaryGeometry()
        try geometry.read(bytes.span, pointsFrom: rule)
        return geometry.positions
    }

    @Test func `WKB of every kind gives its points`() throws {
        let line = Self.wkb(2, Self.vertices([(0, 0), (4, 0)]))
        let area = Self.wkb(3, Self.list([Self.vertices(Self.square), Self.vertices(Self.hole)]))
        #expect(try Self.read(line, .centroid) == [2, 0])
        #expect(try Self.read(area, .centroid) == [Self.holedCentroid, 2])
        #expect(try Self.read(area, .inside) == [2, 2])
        #expect(try Self.read(area, .first) == [0, 0])
        #expect(try Self.read(Self.wkb(5, Self.list([line, line])), .inside) == [2, 0])
        let areas = Self.wkb(6, Self.list([area, area]))
        #expect(try Self.read(areas, .inside) == [2, 2])
        let all = Self.wkb(7, Self.list([WKB.point(9, 9), line, areas, WKB.multiPoint([])]))
        #expect(try Self.read(all, .first) == [9, 9])
        #expect(try Self.read(all, .inside) == [2, 2])
        let tall = Self.wkb(0xC000_0002, Self.vertices([(0, 0), (4, 0)], extra: 2))
        #expect(try Self.read(tall, .centroid) == [2, 0])
        let extended = [1] + WKB.bytes(UInt32(0x2000_0003)) + WKB.bytes(UInt32(3857))
        #expect(
            try Self.read(extended + Self.list([Self.vertices(Self.square)]), .inside) == [4, 2])
        for type in [2, 3, 5, 6, 7] as [UInt32] {
            #expect(try Self.read(Self.wkb(type, [0, 0, 0, 0]), .inside).isEmpty)
        }
        #expect(throws: BinaryGeometryFault.notPoints("CurvePolygon")) {
            try Self.read(Self.wkb(10, [0, 0, 0, 0]), .inside)
        }
    }

    @Test func `broken WKB of lines and areas is answered, never a crash`() throws {
        let line = Self.wkb(2, Self.vertices([(0, 0), (4, 0)]))
        let area = Self.wkb(3, Self.list([Self.vertices(Self.square), Self.vertices(Self.hole)]))
        let whole = Self.wkb(7, Self.list([line, Self.wkb(6, Self.list([area]))]))
        for count in 0..<whole.count {
            #expect(throws: BinaryGeometryFault.self) {
                try Self.read(Array(whole.prefix(count)), .inside)
            }
        }
        var random = SeededRandom(seed: 12)
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<3 {
                let place = Int(random.next() % UInt64(bytes.count))
                bytes[place] = UInt8(truncatingIfNeeded: random.next())
            }
            for rule in PointsFrom.allCases { _ = try? Self.read(bytes, rule) }
        }
        let deep = (0..<5_000).flatMap { _ in Self.wkb(7, [1, 0, 0, 0]) } + WKB.point(1, 2)
        #expect(throws: BinaryGeometryFault.tooDeep(offset: 9 * 33 - 4)) {
            try Self.read(deep, .first)
        }
    }

    /// The table of a geometry.
    static func flat(
        _ type: UInt8, _ xy: [(Double, Double)] = [], ends: [UInt32] = [],
        parts: [Flat.Object] = []
    ) -> Flat.Object {
        var fields: [Int: Flat.Field] = [6: .inline([type])]
        if !xy.isEmpty {
            let bytes = xy.flatMap { WKB.xy($0, $1) }
            fields[1] = .object(.vector(bytes, count: 2 * xy.count))
        }
        if !ends.isEmpty {
            fields[0] = .object(.vector(ends.flatMap { WKB.bytes($0) }, count: ends.count))
        }
        if !parts.isEmpty { fields[7] = .object(.tables(parts)) }
        return Flat.table(fields)
    }

    static func positions(
        _ geometry: Flat.Object, _ rule: PointsFrom
    ) throws(FlatGeobufFault) -> [Double] {
        let bytes = Flat.buffer(Flat.table([0: .object(geometry)]))
        var positions: [Double] = []
        _ = try FlatGeobufFeature(
            bytes.span, geometryType: 0, pointsFrom: rule, positions: &positions)
        return positions
    }

    @Test func `FlatGeobuf of every kind gives its points`() throws {
        let line = Self.flat(2, [(0, 0), (4, 0)])
        let area = Self.flat(3, Self.square + Self.hole, ends: [5, 10])
        #expect(try Self.positions(line, .centroid) == [2, 0])
        #expect(try Self.positions(area, .centroid) == [Self.holedCentroid, 2])
        #expect(try Self.positions(Self.flat(3, Self.square), .inside) == [4, 2])
        let lines = Self.flat(5, [(0, 0), (1, 0), (10, 0), (10, 4)], ends: [2, 4])
        #expect(try Self.positions(lines, .inside) == [10, 2])
        #expect(try Self.positions(Self.flat(6, parts: [area, area]), .inside) == [2, 2])
        // Parts of a MultiPolygon need not say what they are, those of a collection must.
        let unnamed = Self.flat(0, Self.square + Self.hole, ends: [5, 10])
        #expect(try Self.positions(Self.flat(6, parts: [unnamed, unnamed]), .inside) == [2, 2])
        #expect(throws: FlatGeobufFault.self) {
            try Self.positions(Self.flat(7, parts: [unnamed]), .inside)
        }
        let all = Self.flat(7, parts: [Self.flat(1, [(9, 9)]), line, area])
        #expect(try Self.positions(all, .first) == [9, 9])
        #expect(try Self.positions(all, .inside) == [2, 2])
        #expect(try Self.positions(Self.flat(3), .inside).isEmpty)
        #expect(throws: FlatGeobufFault.notPoints("CurvePolygon")) {
            try Self.positions(Self.flat(10), .first)
        }
        #expect(throws: FlatGeobufFault.badOffset(at: 11)) {
            try Self.positions(Self.flat(3, Self.square + Self.hole, ends: [5, 11]), .first)
        }
    }

    /// Forty collections, each of which has the next one twice.
    @Test(.timeLimit(.minutes(1)))
    func `tables that are shared make no tree without end`() {
        let leaf = Self.flat(7)
        var tree = leaf
        for _ in 0..<28 {
            let twice =
                WKB.bytes(UInt32(2)) + WKB.bytes(UInt32(8 + tree.start))
                + WKB.bytes(UInt32(4 + tree.start))
            tree = Flat.table([
                6: .inline([7]), 7: .object(.init(bytes: twice + tree.bytes)),
            ])
        }
        #expect(throws: FlatGeobufFault.tooManyVertices) { try Self.positions(tree, .first) }
    }

    @Test(
        .enabled(if: runsTests(needing: Program.hasGDAL), "ogr2ogr (gdal-bin) is not installed"),
        arguments: ["GPKG a.gpkg", "FlatGeobuf a.fgb", "SQLite a.sqlite", "GML a.gml"])
    func `what GDAL writes gives the points that the text gives`(target: String) throws {
        let words = target.split(separator: " ").map(String.init)
        try withFile(Array(PointsFromTests.features.utf8), named: "a.geojsonl") { source throws in
            let path = URL(filePath: source).deletingLastPathComponent().appending(path: words[1])
                .path
            #expect(
                try Program.run([
                    "ogr2ogr", "-f", words[0], "-nlt", "GEOMETRY", path, source,
                ]))
            for rule in PointsFrom.allCases {
                let options = PointsFromTests.options(rule)
                func places(_ path: String) throws -> Set<[Double]> {
                    // An index puts the features of some in an order of its own.
                    Set(
                        try PointTable.read([.file(path)], options: options).table.readPoints.map {
                            [abs($0.x), $0.y].map { ($0 * 1e6).rounded() / 1e6 }
                        })
                }
                #expect(try places(path) == places(source))
            }
            let error = #expect(throws: InputError.self) { try Samples.read(path: path) }
            #expect(error?.advice?.contains("--points-from centroid") == true)
        }
    }
}
