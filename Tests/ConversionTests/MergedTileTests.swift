import MessageTiles
import TestSupport
import Testing
import VectorTile

@testable import Conversion

/// Tiles of several archives as one, against what each feature of each was.
struct MergedTileTests {
    /// A feature, laid out in units of the finest grid.
    private struct Drawn: Equatable {
        var id: UInt64?
        var parts: [[TilePoint]]
        var kind: GeometryType
        var tags: [Tile.Tag]
    }

    private static func geometry(_ random: inout SeededRandom) -> TileGeometry {
        func points(_ count: Int) -> [TilePoint] {
            (0..<count).map { _ in
                TilePoint(x: Int32(random.next() % 600) - 50, y: Int32(random.next() % 600) - 50)
            }
        }
        return switch random.next() % 4 {
        case 0: .points(points(1))
        case 1: .points(points(3))
        case 2: .lines([points(2), points(4)])
        default: .rings([points(4), points(5)])
        }
    }

    private static func parts(of geometry: TileGeometry, scaled scale: Int32) -> [[TilePoint]] {
        let parts: [[TilePoint]] =
            switch geometry {
            case .points(let points): [points]
            case .lines(let parts), .rings(let parts): parts
            case .unknown: []
            }
        return parts.map { $0.map { TilePoint(x: $0.x * scale, y: $0.y * scale) } }
    }

    /// A tile with some layers, and what is drawn in each when it is as fine as `finest`.
    private static func tile(
        _ names: [String], extent: UInt32, finest: UInt32, seed: UInt64
    ) -> (bytes: [UInt8], drawn: [String: [Drawn]]) {
        var random = SeededRandom(seed: seed)
        var builder = TileBuilder()
        var drawn: [String: [Drawn]] = [:]
        for name in names {
            builder.beginLayer(name, extent: extent, version: extent > 512 ? 2 : 1)
            for number in 0..<5 {
                let geometry = geometry(&random)
                let id = number == 2 ? nil : random.next() % 1_000
                let tags = [
                    Tile.Tag("n", .uint(random.next() % 3)), Tile.Tag("t\(number)", .string("x")),
                ]
                builder.beginFeature(id: id, geometry)
                for tag in tags { builder.addTag(builder.key(tag.key), tag.value) }
                builder.endFeature()
                drawn[name, default: []].append(
                    Drawn(
                        id: id, parts: parts(of: geometry, scaled: Int32(finest / extent)),
                        kind: geometry.type, tags: tags))
            }
            builder.endLayer()
        }
        return (builder.copyBytes(), drawn)
    }

    @Test(arguments: UInt64(0)..<12)
    func `each layer has the features of all, as finely as the finest`(seed: UInt64) throws {
        let extents: [UInt32] = [[512, 4_096], [4_096, 1_024], [1_024, 1_024]][Int(seed % 3)]
        let finest = try #require(extents.max())
        let names = [["a", "b"], ["c", "b"]]
        let tiles = (0..<2).map { index in
            Self.tile(
                names[index], extent: extents[index],
                finest: finest, seed: seed * 2 + UInt64(index))
        }
        var merge = TileMerge(JoinPlan([]), paths: ["one", "two"], JoinTally())
        let parts = tiles.enumerated().map { TileMerge.Part(source: $0, bytes: $1.bytes) }
        let bytes = try merge.merge(parts, of: .init(z: 0, x: 0, y: 0))
        var merged = try TileReader(bytes.span)
        for name in ["a", "b", "c"] {
            guard let layer = try merged.nextLayer() else {
                Issue.record("no layer \(name)")
                return
            }
            // Layers that one has alone stay as fine as they are there.
            let own = tiles.indices.filter { names[$0].contains(name) }
            let extent = try #require(own.map { extents[$0] }.max())
            #expect(layer.name == name && layer.extent == extent)
            #expect(layer.version == (extent > 512 ? 2 : 1))
            let wanted = own.flatMap { tiles[$0].drawn[name] ?? [] }
            #expect(try Self.drawn(in: layer, scaled: Int32(finest / extent)) == wanted)
        }
        if try merged.nextLayer() != nil { Issue.record("one layer too many") }
    }

    /// Each tile is read once, not once for each layer of all.
    @Test(.timeLimit(.minutes(1)))
    func `many layers of many archives are put together`() throws {
        let names = (0..<48).map { archive in (0..<48).map { "\(archive)-\($0)" } }
        let tiles = names.enumerated().map { archive, names in
            Self.tile(names, extent: 512, finest: 512, seed: UInt64(archive)).bytes
        }
        var merge = TileMerge(JoinPlan([]), paths: names.map(\.[0]), JoinTally())
        let parts = tiles.enumerated().map { TileMerge.Part(source: $0, bytes: $1) }
        let bytes = try merge.merge(parts, of: .init(z: 0, x: 0, y: 0))
        #expect(bytes == tiles.flatMap(\.self))
    }

    private static func drawn(
        in layer: borrowing LayerView, scaled scale: Int32
    ) throws -> [Drawn] {
        var found: [Drawn] = []
        var features = layer.features()
        while let feature = try features.next() {
            var carried: [Tile.Tag] = []
            var tags = feature.tags()
            while let tag = try tags.next() {
                carried.append(Tile.Tag(layer.key(at: tag.key), layer.value(at: tag.value).value))
            }
            found.append(
                Drawn(
                    id: feature.id, parts: parts(of: try feature.geometry(), scaled: scale),
                    kind: feature.type, tags: carried))
        }
        return found
    }
}
