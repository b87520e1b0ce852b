import MessageTiles
import TestSupport
import Testing
import VectorTile

struct TileBuilderTests {
    @Test func `a point feature has exactly these bytes`() {
        var builder = TileBuilder()
        let name = builder.key("hello")
        builder.beginLayer("hello")
        builder.beginPoint(id: 1, x: 25, y: 17)
        builder.addTag(name, .string("world"))
        builder.endFeature()
        builder.endLayer()
        // The specification's example of a point (MVT 4.3.5.1), with one attribute.
        #expect(
            builder.copyBytes() == [
                0x1A, 0x2B, 0x78, 2, 0x0A, 5, 0x68, 0x65, 0x6C, 0x6C, 0x6F,
                0x12, 13, 0x08, 1, 0x12, 2, 0, 0, 0x18, 1, 0x22, 3, 9, 50, 34,
                0x1A, 5, 0x68, 0x65, 0x6C, 0x6C, 0x6F,
                0x22, 7, 0x0A, 5, 0x77, 0x6F, 0x72, 0x6C, 0x64, 0x28, 0x80, 0x20,
            ])
    }

    @Test func `a part of a tile has the points that lie in it or beside it, and no empty layer`()
        throws
    {
        var whole = TileBuilder()
        let name = whole.key("name")
        for (layer, points) in [("a", [(100, 100), (1_023, 1), (3_000, 10)]), ("b", [(4_000, 9)])] {
            whole.beginLayer(layer, extent: 4_096)
            for (number, point) in points.enumerated() {
                whole.beginPoint(id: UInt64(number), x: Int32(point.0), y: Int32(point.1))
                whole.addTag(name, .string("\(layer)\(number)"))
                whole.endFeature()
            }
            whole.endLayer()
        }
        let bytes = whole.copyBytes()
        func part(_ column: UInt32, _ row: UInt32, margin: Double) throws -> Tile {
            var builder = TileBuilder()
            let part = TilePart(depth: 2, column: column, row: row)
            var reader = try TileReader(bytes.span)
            while let layer = try reader.nextLayer() {
                try builder.append(pointsOf: layer, in: part, margin: margin)
            }
            let cut = builder.copyBytes()
            return try Tile(inPlace: cut.span)
        }
        let first = try part(0, 0, margin: 0)
        #expect(first.layers.map(\.name) == ["a"] && first.layers[0].extent == 4_096)
        let features = first.layers[0].features
        #expect(features.map(\.id) == [0, 1])
        #expect(features.map(\.geometry) == [[9, 800, 800], [9, 8_184, 8]])
        #expect(features.map { $0.tags.map(\.value) } == [[.string("a0")], [.string("a1")]])
        // The second point lies four units west of its eastern neighbour.
        #expect(try part(1, 0, margin: 0).layers.isEmpty)
        let beside = try part(1, 0, margin: 0.001)
        #expect(beside.layers.first?.features.map(\.geometry) == [[9, 7, 8]])
        #expect(try part(3, 0, margin: 0).layers.map(\.name) == ["b"])
        #expect(try part(3, 3, margin: 0.5).layers.isEmpty)
    }

    /// The examples of MVT 4.3.5.
    @Test(arguments: [
        (TileGeometry.points([.init(x: 25, y: 17)]), [9, 50, 34]),
        (.points([.init(x: 5, y: 7), .init(x: 3, y: 2)]), [17, 10, 14, 3, 9]),
        (
            .lines([[.init(x: 2, y: 2), .init(x: 2, y: 10), .init(x: 10, y: 10)]]),
            [9, 4, 4, 18, 0, 16, 16, 0]
        ),
        (
            .lines([
                [.init(x: 2, y: 2), .init(x: 2, y: 10), .init(x: 10, y: 10)],
                [.init(x: 1, y: 1), .init(x: 3, y: 5)],
            ]), [9, 4, 4, 18, 0, 16, 16, 0, 9, 17, 17, 10, 4, 8]
        ),
        (
            .rings([[.init(x: 3, y: 6), .init(x: 8, y: 12), .init(x: 20, y: 34)]]),
            [9, 6, 12, 18, 10, 12, 24, 44, 15]
        ),
    ])
    func `the specification's geometries have its integers`(
        geometry: TileGeometry, integers: [UInt32]
    ) throws {
        let tile = Tile(layers: [.init(name: "l", features: [.init(geometry)])])
        #expect(tile.layers[0].features[0].geometry == integers)
        #expect(try firstGeometry(in: tile.packed()) == geometry)
    }

    @Test func `values are kept once for each type and bit pattern`() throws {
        var builder = TileBuilder()
        let key = builder.key("k")
        builder.beginLayer("l")
        let values: [TileValue] = [
            .int(1), .uint(1), .sint(1), .bool(true), .float(1), .double(1), .string("1"),
            .double(0), .double(-0.0), .double(.nan), .string(""), .uint(300), .sint(-300),
        ]
        for value in values + values.reversed() {
            builder.beginPoint(id: nil, x: 0, y: 0)
            builder.addTag(key, value)
            builder.endFeature()
        }
        builder.endLayer()
        var tile = try TileReader(builder.bytes)
        guard let layer = try tile.nextLayer() else { throw NoLayer() }
        var found: [TileValue] = []
        for index in 0..<layer.valueCount { found.append(layer.value(at: index).value) }
        #expect(found == values)
        let keyCount = layer.keyCount
        #expect(keyCount == 1)
    }

    @Test func `a builder that has written other tiles writes the same bytes as a new one`() {
        var random = SeededRandom(seed: 3)
        var used = TileBuilder()
        for _ in 0..<60 {
            let tile = Tile.random(using: &random)
            var new = TileBuilder()
            new.append(tile)
            used.removeAll()
            used.append(tile)
            #expect(used.copyBytes() == new.copyBytes())
        }
    }

    @Test func `the hot path writes what protobuf-c packs`() {
        var random = SeededRandom(seed: 4)
        for _ in 0..<100 {
            let tile = Tile.random(using: &random)
            var builder = TileBuilder()
            builder.append(tile)
            #expect(builder.copyBytes() == tile.packed())
        }
    }

    @Test func `points written one by one are those of the geometry`() {
        var random = SeededRandom(seed: 5)
        for _ in 0..<200 {
            let x = Int32(truncatingIfNeeded: random.next() >> (random.next() % 64))
            let y = Int32(truncatingIfNeeded: random.next() >> (random.next() % 64))
            var builder = TileBuilder()
            builder.beginLayer("l")
            builder.beginPoint(id: nil, x: x, y: y)
            builder.endFeature()
            builder.endLayer()
            let point = TileGeometry.points([TilePoint(x: x, y: y)])
            let tile = Tile(layers: [.init(name: "l", features: [.init(point)])])
            #expect(builder.copyBytes() == tile.packed())
        }
    }

    @Test func `long features get longer lengths`() throws {
        let tags = (0..<300).map { Tile.Tag("key \($0)", .string("value \($0)")) }
        let point = TileGeometry.points([TilePoint(x: 1, y: 2)])
        let tile = Tile(layers: [
            .init(name: "l", features: [.init(point, tags: tags), .init(id: .max, point)])
        ])
        var builder = TileBuilder()
        builder.append(tile)
        #expect(builder.copyBytes() == tile.packed())
        #expect(try Tile(builder.bytes) == tile)
    }
}

/// A tile has fewer layers than a test has put there.
struct NoLayer: Error {}

func firstGeometry(in bytes: [UInt8]) throws -> TileGeometry? {
    var tile = try TileReader(bytes.span)
    guard let layer = try tile.nextLayer() else { throw NoLayer() }
    return try layer.feature(at: 0).geometry()
}
