import Clustering
import Expressions
import Geometry
import JSON
import Points
import TestSupport
import Testing

struct AggregateValueTests {
    static func value(using random: inout SeededRandom) -> AttributeValue? {
        switch random.next() % 8 {
        case 0: nil
        case 1: .text(["a", "b", "ä"].randomElement(using: &random)!)
        case 2: .bool(Bool.random(using: &random))
        case 3: .number(.infinity)
        case 4, 5: .integer(Int64.random(in: -3...3, using: &random))
        default: .number((random.unit() - 0.5) * 1e3 + 1e-3)
        }
    }

    static func points(_ count: Int, using random: inout SeededRandom) -> [Samples.Point] {
        Samples.random(count, using: &random).map { point in
            var point = point
            point.attributes = value(using: &random).map { [("v", $0)] } ?? []
            point.attributes.append(("side", .bool(Bool.random(using: &random))))
            return point
        }
    }

    /// The values of a cluster's points, in leaf order.
    static func values(
        of cluster: Int, in tree: ClusterTree, _ points: [Samples.Point]
    ) -> [AttributeValue] {
        tree.leafRange(of: cluster).compactMap { points[Int(tree.leafRows[$0])].value(of: "v") }
    }

    static func attributes(_ table: AttributeTable, _ row: Int) -> [String: AttributeValue] {
        var found: [String: AttributeValue] = [:]
        var cursor = table[row].makeCursor()
        while let attribute = cursor.next() {
            found[table.keys.name(of: attribute.key)] = attribute.value.unpacked
        }
        return found
    }

    /// Whether two results are the same, numbers but for rounding.
    static func agree(_ a: [String: AttributeValue], _ b: [String: AttributeValue]) -> Bool {
        a.count == b.count
            && a.allSatisfy { name, value in
                guard let first = value.asNumber, let second = b[name]?.asNumber else {
                    return b[name] == value
                }
                return first == second || abs(first - second) <= 1e-9 * max(1, abs(first))
            }
    }

    @Test(
        arguments: AggregateOperation.words + ["p0", "p33", "p100", "top1", "concat2"])
    func `every operation gives what its definition says`(word: String) throws {
        var random = SeededRandom(seed: 3)
        let operation = try #require(AggregateOperation(word))
        var clusters = 0
        for _ in 0..<25 {
            let points = Self.points(Int.random(in: 2...50, using: &random), using: &random)
            var options = ReferenceTests.options(using: &random)
            if Bool.random(using: &random) { options.groupBy = "side" }
            options.aggregates = [Aggregate("a", operation, of: .attribute("v"))]
            let tree = try ClusterTree(of: Samples.table(points), options: options, threads: 1)
            for cluster in 0..<tree.clusterCount {
                let values = Self.values(of: cluster, in: tree, points)
                let wanted = NaiveAggregate(values: values).result(of: operation)
                var found = Self.attributes(tree.attributes, cluster)
                if let name = options.groupBy { found[name] = nil }
                #expect(Self.agree(found, wanted), "\(values): \(found), not \(wanted)")
            }
            clusters += tree.clusterCount
        }
        #expect(clusters > 80)
    }

    @Test func `what is missing and what is no finite number is counted`() throws {
        var random = SeededRandom(seed: 4)
        let points = Self.points(200, using: &random)
        var options = ClusterOptions(radius: 50, maxZoom: 4)
        options.aggregates = [try Aggregate(parsing: "a=sum:v")]
        let tree = try ClusterTree(of: Samples.table(points), options: options)
        let values = points.compactMap { $0.value(of: "v") }
        let numbers = values.compactMap(\.asNumber).filter(\.isFinite)
        #expect(tree.skippedValues.count == 1)
        #expect(tree.skippedValues[0].aggregate == "a")
        #expect(tree.skippedValues[0].missing == points.count - values.count)
        #expect(tree.skippedValues[0].unusable == values.count - numbers.count)
    }

    @Test func `points without the number that places a cluster are counted`() throws {
        var random = SeededRandom(seed: 4)
        let points = Self.points(200, using: &random)
        let numbers = points.compactMap { $0.value(of: "v")?.asNumber }.filter(\.isFinite)
        for position in [ClusterOptions.Position.max("v"), .min("v")] {
            var options = ClusterOptions(radius: 50, maxZoom: 4)
            options.position = position
            let skipped = try ClusterTree(of: Samples.table(points), options: options).skippedValues
            #expect(skipped.map(\.aggregate) == ["position"])
            #expect(
                skipped[0].missing + skipped[0].unusable == points.count - numbers.count)
        }
    }

    /// One cluster of many points at different positions.
    static func crowd(_ values: [Double], _ aggregates: [Aggregate]) throws -> ClusterTree {
        let points = values.enumerated().map { index, value in
            Samples.Point(
                position: WorldPoint(x: 0.5 + Double(index) * 1e-6, y: 0.5),
                attributes: [("v", .init(canonical: value))])
        }
        var options = ClusterOptions(radius: 50, maxZoom: 3)
        options.aggregates = aggregates
        return try ClusterTree(of: Samples.table(points), options: options)
    }

    /// What the one cluster of these values has.
    static func results(_ values: [Double], _ words: [String]) throws -> [String: AttributeValue] {
        let tree = try crowd(values, words.map { try Aggregate(parsing: "\($0)=\($0):v") })
        let root = try #require((0..<tree.clusterCount).first { tree.leaves[$0] == values.count })
        return attributes(tree.attributes, root)
    }

    @Test(arguments: [
        100, AggregateOperation.exactPercentileLimit, AggregateOperation.exactPercentileLimit + 1,
    ])
    func `percentiles are exact up to a limit and near beyond it, of any magnitude`(
        count: Int
    ) throws {
        let bounds = [.leastNormalMagnitude, 1e-13, 1, 1e300, .greatestFiniteMagnitude]
        for bound in bounds.flatMap({ [$0, -$0] }) {
            let found = try Self.results(Array(repeating: bound, count: count), ["p0", "p70"])
            for name in ["p0", "p70"] {
                let number = try #require(found[name]?.asNumber)
                #expect(number == bound)
            }
        }
    }

    @Test func `what grows past the largest number is left out`() throws {
        let values = (0..<10).map { Double.greatestFiniteMagnitude * ($0 < 5 ? 1 : -1) }
        let found = try Self.results(
            values, ["sum", "mean", "variance", "stddev", "min", "max", "median", "count"])
        #expect(
            found == [
                "min": .number(-.greatestFiniteMagnitude), "max": .number(.greatestFiniteMagnitude),
                "median": .integer(0), "count": .integer(10),
            ])
    }

    /// Which aggregates skipped how many values, missing ones and those of no use.
    static func skips(of tree: ClusterTree) -> [String] {
        tree.skippedValues.map { "\($0.aggregate) \($0.missing) \($0.unusable)" }
    }

    @Test(arguments: ["count", "sum", "mode", "distinct", "concat", "first", "median"])
    func `a calculation that has no result is skipped and counted`(word: String) throws {
        let root = try Expression(parsing: ["sqrt", ["get", "v"]], as: .value)
        let operation = try #require(AggregateOperation(word))
        let tree = try Self.crowd(
            [-4, 9, -1], [Aggregate("a", operation, of: .expression(root))])
        #expect(Self.skips(of: tree) == ["a 0 2"])
        let wanted: AttributeValue =
            switch word {
            case "count", "distinct": .integer(1)
            case "concat": .text("3")
            default: .integer(3)
            }
        #expect(Self.attributes(tree.attributes, 0) == ["a": wanted])
    }

    @Test func `properties that are evaluated as written skip and count too`() throws {
        var random = SeededRandom(seed: 6)
        let points = Self.points(300, using: &random)
        let values = points.compactMap { $0.value(of: "v") }
        let numbers = values.compactMap(\.asNumber).filter(\.isFinite)
        let forms: [(String, JSONValue)] = [
            ("long", [["+", ["accumulated"], ["get", "long"]], ["get", "v"]]),
            ("roots", [["+", ["accumulated"], ["get", "roots"]], ["sqrt", ["get", "v"]]]),
        ]
        var options = ClusterOptions(radius: 1e6, maxZoom: 2)
        options.clusterProperties = try forms.map { try ClusterProperty(name: $0.0, json: $0.1) }
        let tree = try ClusterTree(of: Samples.table(points), options: options)
        let long = try #require(Self.attributes(tree.attributes, 0)["long"]?.asNumber)
        #expect(abs(long - numbers.reduce(0, +)) < 1e-9)
        let negative = numbers.filter { $0 < 0 }.count
        // A fault in an expression is null.
        let notNumeric = points.count - values.compactMap(\.asNumber).count
        #expect(
            Self.skips(of: tree) == [
                "long \(points.count - values.count) \(values.count - numbers.count)",
                "roots \(notNumeric) \(points.count - notNumeric - numbers.count + negative)",
            ])
        options.radius = 0
        let apart = try ClusterTree(of: Samples.table(points), options: options)
        #expect(apart.skippedValues == tree.skippedValues)
    }

    @Test func `an expression is reduced like an attribute`() throws {
        let double = try Expression(parsing: ["*", 2, ["get", "v"]], as: .value)
        let tree = try Self.crowd(
            [1, 2, 4.5],
            [
                Aggregate("s", .sum, of: .expression(double)),
                Aggregate("h", .max, of: .expression(double)), Aggregate("n", .count, of: .points),
            ])
        #expect(
            Self.attributes(tree.attributes, 0)
                == ["s": .integer(15), "h": .integer(9), "n": .integer(3)])
    }

    @Test func `both forms of cluster properties reduce`() throws {
        let values = [3, 1, 2, 5].map(Double.init)
        let points = values.enumerated().map { index, value in
            Samples.Point(
                position: WorldPoint(x: 0.5 + Double(index) * 1e-6, y: 0.5),
                attributes: [("v", .init(canonical: value))])
        }
        let forms: [(String, JSONValue)] = [
            ("sum", ["+", ["get", "v"]]), ("max", ["max", ["get", "v"]]),
            ("min", ["min", ["get", "v"]]), ("product", ["*", ["get", "v"]]),
            ("any", ["any", ["==", ["get", "v"], 5]]), ("all", ["all", [">", ["get", "v"], 1]]),
            ("long", [["+", ["accumulated"], ["get", "long"]], ["get", "v"]]),
            ("squares", [["+", ["accumulated"], ["get", "squares"]], ["^", ["get", "v"], 2]]),
        ]
        var options = ClusterOptions(radius: 50, maxZoom: 0)
        options.clusterProperties = try forms.map { try ClusterProperty(name: $0.0, json: $0.1) }
        let tree = try ClusterTree(of: Samples.table(points), options: options)
        #expect(
            Self.attributes(tree.attributes, 0)
                == [
                    "sum": .integer(11), "max": .integer(5), "min": .integer(1),
                    "product": .integer(30), "any": .bool(true), "all": .bool(false),
                    "long": .integer(11), "squares": .integer(39),
                ])
    }
}
