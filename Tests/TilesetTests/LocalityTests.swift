import Geometry
import JSON
import TestSupport
import TileArchive
import Testing
import VectorTile

/// A tile follows from the options and from the points within its reach alone.
struct LocalityTests {
    /// How far from a point that changes a tile may change, in radii of its zoom: what passes of all deeper
    /// zooms come to, where nodes depend on one another along a chain of a few.
    private static let reach = 12.0
    private static let maxZoom: UInt8 = 8

    private static let options: [(name: String, clusters: JSONValue, radius: Double)] = [
        ("spaced", ["radius": 40], 40),
        ("greedy", ["radius": 60, "algorithm": "greedy"], 60),
        ("grid", ["radius": 50, "algorithm": "grid"], 50),
        ("groups", ["radius": 40, "groupBy": "kind"], 40),
        ("few", ["radius": 50, "minPoints": 3, "algorithm": "greedy"], 50),
        ("nearest", ["radius": 40, "position": "nearest"], 40),
        ("aggregates", ["radius": 30, "aggregates": ["sum": "sum:n", "kinds": "mode:kind"]], 30),
        ("fields", ["radius": 40, "fields": ["bbox", "unique_location"]], 40),
        // Points past zoom 5 are held together in tiles of zoom 6, which are four of zoom 8 wide.
        ("crowds", ["radius": 40, "maxZoom": 5], 40 + 4 * 512 / reach),
    ]

    /// All over the world, some of them many at one place.
    private static func points(_ count: Int, _ random: inout SeededRandom) -> [SamplePoint] {
        var points: [SamplePoint] = []
        while points.count < count {
            var place = WorldPoint(x: random.unit(), y: 0.1 + 0.8 * random.unit())
            let crowd = random.next() % 6 == 0 ? 12 : 1
            for number in 0..<crowd {
                points.append(point(at: place, &random))
                if number % 3 == 0 { place.x = min(place.x + random.unit() * 1e-3, 1) }
            }
        }
        return points
    }

    private static func point(at place: WorldPoint, _ random: inout SeededRandom) -> SamplePoint {
        SamplePoint(
            place: place.lonLat,
            properties: [
                ("n", .integer(Int64(random.next() % 100))),
                ("kind", .string(["inn", "bar", "hut"][Int(random.next() % 3)])),
            ])
    }

    /// Adds, moves and removes some points around a place.
    /// - Returns: where something has changed.
    private static func change(
        _ points: inout [SamplePoint], _ random: inout SeededRandom
    ) -> [WorldPoint] {
        let middle = WorldPoint(x: random.unit(), y: 0.1 + 0.8 * random.unit())
        func near() -> WorldPoint {
            let x = middle.x + (random.unit() - 0.5) * 4e-3
            return WorldPoint(
                x: x - x.rounded(.down), y: middle.y + (random.unit() - 0.5) * 4e-3)
        }
        var changed: [WorldPoint] = []
        for _ in 0...random.next() % 3 {
            let place = near()
            // The first point of all says in which order attributes come.
            let other = 1 + Int(random.next() % UInt64(points.count - 1))
            switch random.next() % 3 {
            case 0: points.append(point(at: place, &random))
            case 1:
                changed.append(WorldPoint(points[other].place))
                points[other].place = place.lonLat
            default:
                changed.append(WorldPoint(points.remove(at: other).place))
                continue
            }
            changed.append(place)
        }
        return changed
    }

    /// How far a tile is from a place, in its own widths.
    private static func distance(_ tile: TileID, _ place: WorldPoint) -> Double {
        let turns = [-1.0, 0, 1].map { (turn: Double) -> Double in
            let east = place.x + turn - tile.origin.x
            return max(-east, east - tile.width, 0)
        }
        let dx = turns.min() ?? 0
        let south = place.y - tile.origin.y
        let dy = max(-south, south - tile.width, 0)
        return (dx * dx + dy * dy).squareRoot() / tile.width
    }

    #if DEBUG
        private static let seeds: Range<UInt64> = 0..<3
    #else
        private static let seeds: Range<UInt64> = 0..<20
    #endif

    @Test(arguments: seeds)
    func `points that change change no tile far away`(seed: UInt64) throws {
        for (number, (name, clusters, radius)) in Self.options.enumerated() {
            var random = SeededRandom(seed: seed * 100 + UInt64(number))
            var points = Self.points(300 + Int(random.next() % 400), &random)
            let settings: (JSONValue, JSONValue) = (
                ["clusters": clusters],
                ["maxZoom": .integer(Int64(Self.maxZoom)), "maxFeatures": 6]
            )
            let before = try BakedArchive(points, layer: settings.0, tiles: settings.1)
            let changed = Self.change(&points, &random)
            let after = try BakedArchive(points, layer: settings.0, tiles: settings.1)
            var (same, differ) = (0, 0)
            for tile in Set(before.tiles.keys).union(after.tiles.keys) {
                guard before.tiles[tile] != after.tiles[tile] else {
                    same += 1
                    continue
                }
                differ += 1
                let distance = changed.map { Self.distance(tile, $0) }.min() ?? .infinity
                #expect(
                    distance * 512 <= Self.reach * radius + 8, "\(name), seed \(seed): \(tile)")
            }
            #expect(differ > 0 && same > 10 * differ, "\(name), seed \(seed): \(differ) of \(same)")
        }
    }

    /// All payloads but the overview and the outlines, which count over the world.
    private static func blocksAndPages(of baked: BakedArchive) throws -> [[UInt8]] {
        let archive = baked.archive
        let said = try #require(try archive.description?.get().blocks)
        let source = try #require(try archive.contents.clusterPayloads())
        return try (0..<said.count + said.pages).map {
            try #require(try source.bytes(ofPayload: $0))
        }
    }

    @Test(arguments: seeds.prefix(8))
    func `points that change change no block and no page far away`(seed: UInt64) throws {
        for (number, (name, clusters, _)) in Self.options.enumerated() where number % 2 == seed % 2
        {
            var random = SeededRandom(seed: seed * 100 + UInt64(number))
            var points = Self.points(2_500, &random)
            // So heavy that a block has 140 points at most.
            let text = String(repeating: "x", count: 1_500)
            for index in points.indices {
                points[index].properties.append(("text", .string("\(random.next())" + text)))
            }
            let settings: (JSONValue, JSONValue) = (
                ["clusters": clusters], ["maxZoom": 6, "minZoom": .integer(Int64(seed % 3))]
            )
            let before = try Self.blocksAndPages(
                of: BakedArchive(points, layer: settings.0, tiles: settings.1))
            let changed = Self.change(&points, &random).count
            // However heavy the heaviest point is.
            points[0].properties.removeLast()
            points[0].properties.append(("text", .string(String(repeating: "y", count: 30_000))))
            let after = try Self.blocksAndPages(
                of: BakedArchive(points, layer: settings.0, tiles: settings.1))
            let other = Set(after).subtracting(before).count
            #expect(after.count > 30, "\(name), seed \(seed): \(after.count)")
            #expect((1...11 + 3 * changed).contains(other), "\(name), seed \(seed): \(other)")
        }
    }
}
