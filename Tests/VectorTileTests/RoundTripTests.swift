import MessageTiles
import TestSupport
import Testing
import VectorTile

struct RoundTripTests {
    @Test func `a random tile comes back from protobuf-c as it went in`() throws {
        var random = SeededRandom(seed: 1)
        for _ in 0..<200 {
            let tile = Tile.random(using: &random)
            #expect(try Tile(tile.packed().span) == tile)
        }
    }

    @Test func `the reader in place sees what protobuf-c unpacks`() throws {
        var random = SeededRandom(seed: 2)
        for _ in 0..<200 {
            let bytes = Tile.random(using: &random).packed()
            #expect(try Tile(inPlace: bytes.span) == Tile(bytes.span))
        }
    }

    @Test func `geometries come back with their parts`() throws {
        var random = SeededRandom(seed: 7)
        for _ in 0..<300 {
            let geometry = TileGeometry.random(using: &random)
            let tile = Tile(layers: [.init(name: "l", features: [.init(geometry)])])
            #expect(try firstGeometry(in: tile.packed()) == geometry)
        }
    }

    @Test func `a point is a point only when it is one and alone`() throws {
        let one = TileGeometry.points([TilePoint(x: -3, y: 4)])
        let two = TileGeometry.points([TilePoint(x: -3, y: 4), TilePoint(x: 1, y: 1)])
        let line = TileGeometry.lines([[TilePoint(x: -3, y: 4), TilePoint(x: 1, y: 1)]])
        let features = [one, two, line].map { Tile.Feature($0) }
        let bytes = Tile(layers: [.init(name: "l", features: features)]).packed()
        var tile = try TileReader(bytes.span)
        guard let layer = try tile.nextLayer() else { throw NoLayer() }
        var points: [TilePoint?] = []
        for index in 0..<layer.featureCount { points.append(try layer.feature(at: index).point) }
        #expect(points == [TilePoint(x: -3, y: 4), nil, nil])
    }
}
