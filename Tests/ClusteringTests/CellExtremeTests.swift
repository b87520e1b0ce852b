import Clustering
import Geometry
import Points
import TestSupport
import Testing

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
    func `whatever the points, a margin too narrow is widened`(name: String, margin: Double) throws
    {
        var random = SeededRandom(seed: 8)
        let points = Self.set(name, &random).enumerated().map { number, place in
            Samples.Point(
                position: place, id: UInt64(number),
                attributes: [("value", .integer(Int64(number % 17)))])
        }
        for algorithm in ClusterOptions.Algorithm.allCases {
            for minPoints in Self.minPoints(name) {
                var options = ClusterOptions(radius: 64, maxZoom: name == "tile" ? 14 : 8)
                options.algorithm = algorithm
                options.minPoints = minPoints
                if margin != 1, name.count % 2 == 1 { options.position = .nearest }
                options.aggregates = [try Aggregate(parsing: "s=sum:value")]
                var plan = CellPlan(cellZoom: 3, depth: name == "tile" ? 9 : 2, options: options)
                plan.margin = margin
                let reports = try CellTests.compare(points, options, plan)
                // Without a margin no cell with points knows enough, unless nobody needs neighbours.
                #expect(margin > 0 || reports.contains { $0.attempts > 1 }, "\(name)")
            }
        }
    }

    /// Each hangs on the one before it, all the way across the world.
    @Test func `a chain of nodes that hang on each other is followed to its end`() throws {
        let step = 0.9 * 40 / 512 / 64
        let points = (0..<300).map { number in
            Samples.Point(
                position: WorldPoint(x: 0.2 + step * Double(number), y: 0.51),
                weight: 1_000 - Double(number), id: UInt64(number))
        }
        for algorithm in [ClusterOptions.Algorithm.spaced, .greedy] {
            for minPoints in [2, 3] {
                var options = ClusterOptions(radius: 40, maxZoom: 6)
                options.algorithm = algorithm
                options.weighted = true
                options.minPoints = minPoints
                var plan = CellPlan(cellZoom: 3, depth: 2, options: options)
                plan.margin = 3
                let reports = try CellTests.compare(points, options, plan)
                #expect(reports.contains { $0.loaded > 2 * $0.points && $0.points > 0 })
            }
        }
    }

    /// Passes at which nodes far away still merge must not make cells unsure of what they have.
    @Test func `more passes than were supposed are noticed`() throws {
        var random = SeededRandom(seed: 3)
        let points = CellTests.spread(
            600, around: WorldPoint(x: 0.5, y: 0.5), side: 0.2, using: &random)
        let options = ClusterOptions(radius: 64, maxZoom: 7)
        var plan = CellPlan(cellZoom: 3, depth: 2, options: options)
        plan.passLimit = 1
        let reports = try CellTests.compare(points, options, plan)
        #expect(reports.contains { $0.passLimit > 1 })
    }

    @Test func `what no cell can know is refused with the reason`() throws {
        var options = ClusterOptions(radius: 40, maxZoom: 6)
        try options.checkCells()
        options.order = .input
        #expect(throws: ClusteringError.self) { try options.checkCells() }
        options.order = .stable
        try options.checkCells()
    }
}
