import Geometry
import JSON
import TestSupport
import Testing

@testable import Tileset

/// Points that lie as is worst for a world that is cut into cells.
struct CellExtremeTests {
    #if DEBUG
        private static let count = 160
        static let margins = [0.0]
        /// A slow build tries one or the other with each set of points.
        static func minPoints(_ name: String) -> [Int] { name.count % 2 == 0 ? [2] : [4] }
    #else
        private static let count = 400
        static let margins = [0.0, 1, 16]
        static func minPoints(_ name: String) -> [Int] { [2, 4] }
    #endif

    /// Rows of points along the borders of cells at zoom 3, from one pole to the other.
    private static func rows(_ random: inout SeededRandom) -> [WorldPoint] {
        (0..<count).map { _ in
            let along = 0.3 + random.unit() * 0.4
            let across = 0.5 + (random.unit() - 0.5) * 1e-4
            return random.next() % 2 == 0
                ? WorldPoint(x: along, y: across) : WorldPoint(x: across, y: along)
        }
    }

    /// Half of all at one place, the others near it.
    private static func place(_ random: inout SeededRandom) -> [WorldPoint] {
        (0..<count).map { number in
            number % 2 == 0
                ? WorldPoint(x: 0.375, y: 0.4)
                : WorldPoint(
                    x: 0.375 + (random.unit() - 0.5) / 8, y: 0.4 + (random.unit() - 0.5) / 8)
        }
    }

    private static func city(_ random: inout SeededRandom) -> [WorldPoint] {
        (0..<count).map { _ in
            WorldPoint(
                x: 0.5 + (random.unit() - 0.5) * (random.unit() - 0.5) / 8,
                y: 0.5 + (random.unit() - 0.5) * (random.unit() - 0.5) / 8)
        }
    }

    private static func dateLine(_ random: inout SeededRandom) -> [WorldPoint] {
        (0..<count).map { _ in
            WorldPoint(x: (random.unit() - 0.5) / 10, y: 0.5 + (random.unit() - 0.5) / 10).wrapped
        }
    }

    /// Rings around the corner of four cells, all neighbours equally far from each other.
    private static func rings(_ random: inout SeededRandom) -> [WorldPoint] {
        (0..<count).map { number in
            let step = Double(number % 40)
            let reach = Double(1 + number / 40) / 256
            let side = [(1.0, 0.0), (0, 1), (-1, 0), (0, -1)][number % 4]
            let along = (step / 20 - 1) * reach
            return WorldPoint(
                x: 0.5 + side.0 * reach + side.1 * along,
                y: 0.5 + side.1 * reach + side.0 * along)
        }
    }

    /// All in one tile at zoom 12.
    private static func tile(_ random: inout SeededRandom) -> [WorldPoint] {
        (0..<count).map { _ in
            WorldPoint(x: 0.3 + random.unit() / 8_192, y: 0.6 + random.unit() / 8_192)
        }
    }

    private static func set(
        _ name: String, _ random: inout SeededRandom
    ) -> [WorldPoint] {
        switch name {
        case "rows": rows(&random)
        case "place": place(&random)
        case "city": city(&random)
        case "date line": dateLine(&random)
        case "rings": rings(&random)
        default: tile(&random)
        }
    }

    @Test(arguments: ["rows", "place", "city", "date line", "rings", "tile"], margins)
    func `a margin that is too narrow is widened, wherever points lie`(
        name: String, margin: Double
    ) throws {
        var random = SeededRandom(seed: 8)
        let points = Self.set(name, &random).enumerated().map { number, place in
            CellOracleTests.sample(place, weight: 1, number, using: &random)
        }
        let deepest = name == "tile" ? 14 : 8
        for algorithm in ["spaced", "greedy", "grid"] {
            for minPoints in Self.minPoints(name) {
                var clusters: JSONObject = [
                    "radius": 64, "maxZoom": .integer(Int64(deepest)),
                    "algorithm": .string(algorithm), "minPoints": .integer(Int64(minPoints)),
                    "aggregates": ["s": "sum:value"],
                ]
                if margin != 1, name.count % 2 == 1 { clusters["position"] = "anchor" }
                let figures = try CellOracleTests.compare(
                    points, clusters: clusters, tiles: ["maxZoom": .integer(Int64(deepest + 1))],
                    CellOracleTests.cells(3, depth: name == "tile" ? 9 : 2, margin: margin))
                // Without a margin no cell with points knows enough.
                #expect(margin > 0 || figures.widened > 0, "\(name)")
            }
        }
    }

    /// Points of several groups share their places where cells meet, so that their clusters would share
    /// names, and each group's may be another cell's.
    @Test(arguments: 0..<4)
    func `groups at the same places on the corner of four cells have the names of one build`(
        seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        var points: [SamplePoint] = []
        while points.count < Self.count {
            let reach = 1 / Double(16 << (random.next() % 20))
            let side = [-1.0, 0, 1]
            let place = WorldPoint(
                x: 0.5 + side[Int(random.next() % 3)] * reach,
                y: 0.5 + side[Int(random.next() % 3)] * reach)
            for _ in 0...random.next() % 5 {
                points.append(
                    CellOracleTests.sample(place, weight: 1, points.count, using: &random))
            }
        }
        for algorithm in ["spaced", "greedy"] {
            let clusters: JSONObject = [
                "radius": 40, "groupBy": "kind", "algorithm": .string(algorithm),
            ]
            for depth in [1, 3] {
                _ = try CellOracleTests.compare(
                    points, clusters: clusters,
                    tiles: depth == 1 ? ["maxZoom": 8, "spread": 20] : ["maxZoom": 8],
                    CellOracleTests.cells(depth, depth: 2, margin: 0))
            }
        }
    }
}
