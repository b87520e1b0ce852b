import Clustering
import Expressions
import Geometry
import JSON
import Points
import TestSupport
import Testing

/// That a world which is cut into cells has the tree that it has in one piece.
struct CellTests {
    /// Options at random of those that can be cut, with aggregates of every kind.
    static func options(
        for points: [Samples.Point], using random: inout SeededRandom
    ) throws -> ClusterOptions {
        var options = ReferenceTests.options(for: points, using: &random)
        options.order = .stable
        while (try? options.checkCells()) == nil || (try? options.validate()) == nil {
            options = ReferenceTests.options(for: points, using: &random)
            options.order = .stable
        }
        options.aggregates = try aggregates.shuffled(using: &random)
            .prefix(Int.random(in: 0...5, using: &random)).map { try Aggregate(parsing: $0) }
        if Bool.random(using: &random) { options.inherit = ["value"] }
        if Int.random(in: 0..<4, using: &random) == 0 {
            options.clusterProperties = try properties.map {
                try ClusterProperty(name: $0.0, json: $0.1)
            }
        }
        return options
    }

    static let aggregates = [
        "n=count", "c=count:value", "s=sum:value", "lo=min:value", "hi=max:value", "m=mean:value",
        "v=variance:value", "d=stddev:value", "q=median:value", "p=p90:value", "k=mode:kind",
        "dk=distinct:kind", "h=histogram:kind", "f=first:kind", "t=top:kind", "l=concat:kind",
        "y=any:flag", "z=all:flag",
    ]
    /// One that an aggregate does, and two that are evaluated as they are written.
    static let properties: [(String, JSONValue)] = [
        ("added", ["+", ["get", "value"]]), ("product", ["*", ["get", "value"]]),
        ("joined", ["concat", ["get", "kind"]]),
    ]

    /// Clusters points at once and in cells, and compares everything.
    @discardableResult
    static func compare(
        _ points: [Samples.Point], _ options: ClusterOptions, _ plan: CellPlan,
        keeping keep: (CellPiece) -> CellPiece = { $0 }
    ) throws -> [CellReport] {
        let table = Samples.table(points)
        let whole = try ClusterTree(of: table, options: options, threads: 1)
        var reports: [CellReport] = []
        let cut = try ClusterTree(
            of: table, options: options, cells: plan, threads: 1, keeping: keep
        ) { reports.append($0) }
        let (wanted, found) = (
            DeterminismTests.bytes(of: whole, table), DeterminismTests.bytes(of: cut, table)
        )
        let difference = zip(wanted, found).first { $0 != $1 }
        let isEqual = wanted.count == found.count && difference == nil
        #expect(
            isEqual,
            "\(plan), \(options): \(String(describing: difference))")
        let isAlike = whole.groups == cut.groups && whole.skippedValues == cut.skippedValues
        #expect(isAlike)
        return reports
    }

    /// What came of the cells of some cases.
    struct Sums {
        var cells = 0
        /// Cells with points that were certain though they knew a part of the world only.
        var certain = 0
        /// Cells that had to look further.
        var widened = 0
        var loaded = 0
        var points = 0

        mutating func add(_ reports: [CellReport], of count: Int) {
            for report in reports {
                cells += 1
                if report.points > 0, report.loaded < count { certain += 1 }
                if report.attempts > 1 { widened += 1 }
                loaded += report.loaded
                points += report.points
            }
        }
    }

    @Test(arguments: 0..<8)
    func `cells of small sets have the tree of the whole world`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<ReferenceTests.cases / 16 {
            let clumps = Int.random(in: 1...4, using: &random)
            let points = (0..<clumps).flatMap { _ in
                Samples.random(Int.random(in: 0...60, using: &random), using: &random)
            }
            let options = try Self.options(for: points, using: &random)
            var plan = CellPlan(
                cellZoom: Int.random(in: 1...2, using: &random),
                depth: Int.random(in: 0...4, using: &random), options: options)
            plan.margin = [0, 1, 16].randomElement(using: &random)!
            plan.passLimit = [1, 4, 6].randomElement(using: &random)!
            try Self.compare(points, options, plan)
        }
    }

    /// Points in a square and in towns in it, some at one site, some in rows along its middle.
    static func spread(
        _ count: Int, around middle: WorldPoint, side: Double, using random: inout SeededRandom
    ) -> [Samples.Point] {
        func somewhere(_ side: Double, _ random: inout SeededRandom) -> WorldPoint {
            WorldPoint(
                x: middle.x + (random.unit() - 0.5) * side,
                y: middle.y + (random.unit() - 0.5) * side)
        }
        let towns = (0..<4).map { _ in somewhere(side, &random) }
        let kinds: [AttributeValue] = [.text("cafe"), .text("park"), .integer(7)]
        var points: [Samples.Point] = []
        for number in 0..<count {
            var place = somewhere(side, &random)
            switch random.next() % 8 {
            case 0:
                let town = towns[Int(random.next() % 4)]
                place.x = town.x + (random.unit() - 0.5) * side / 20
                place.y = town.y + (random.unit() - 0.5) * side / 20
            case 1: place.x = middle.x + (random.unit() - 0.5) * side / 200
            case 2: place.y = middle.y + (random.unit() - 0.5) * side / 200
            default: break
            }
            place.y = min(max(place.y, 0), 1)
            if let twin = points.randomElement(using: &random), random.next() % 12 == 0 {
                place = twin.position
            }
            var point = Samples.Point(position: place.wrapped, weight: Double(random.next() % 3))
            point.id = UInt64(number)
            if random.next() % 4 != 0 {
                let value = Double(random.next() % 1000) / 7
                point.attributes.append(("value", .init(canonical: value)))
            }
            if random.next() % 4 != 0 {
                point.attributes.append(("kind", kinds[Int(random.next() % 3)]))
            }
            if random.next() % 2 == 0 { point.attributes.append(("flag", .bool(number % 3 == 0))) }
            points.append(point)
        }
        return points
    }

    #if DEBUG
        static let seeds: Range<UInt64> = 0..<4
    #else
        static let seeds: Range<UInt64> = 0..<8
    #endif

    @Test(arguments: seeds)
    func `cells that know a part only have the tree of the whole world`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed &+ 100)
        var sums = Sums()
        for _ in 0..<max(3, ReferenceTests.cases / 80) {
            let cellZoom = Int.random(in: 2...4, using: &random)
            let side = 1 / Double(1 << cellZoom)
            // A corner of four cells, now and then on the antimeridian or at a pole.
            let middle = WorldPoint(
                x: side * Double(Int.random(in: 0..<1 << cellZoom, using: &random)),
                y: side * Double(Int.random(in: 0...1 << cellZoom, using: &random)))
            let points = Self.spread(
                Int.random(in: 200...600, using: &random), around: middle, side: 3 * side,
                using: &random)
            var options = try Self.options(for: points, using: &random)
            options.algorithm = [.spaced, .spaced, .greedy, .grid].randomElement(using: &random)!
            options.radius = [32, 64].randomElement(using: &random)!
            options.maxZoom = cellZoom + Int.random(in: 2...4, using: &random)
            guard (try? options.validate()) != nil else { continue }
            var plan = CellPlan(
                cellZoom: cellZoom, depth: Int.random(in: 1...3, using: &random), options: options)
            plan.margin = [2, 6, 16].randomElement(using: &random)!
            plan.passLimit = [3, 6].randomElement(using: &random)!
            sums.add(try Self.compare(points, options, plan), of: points.count)
        }
        #expect(sums.certain > 0)
    }
}
