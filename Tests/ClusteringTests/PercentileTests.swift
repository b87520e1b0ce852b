import Clustering
import Geometry
import Points
import TestSupport
import Testing

/// Percentiles of more values than are kept.
struct PercentileTests {
    /// Enough for several clusters of more values than are kept.
    #if DEBUG
        static let many = 13_000
        static let deepest = 7
        static let percents = [0, 33.3, 50, 99.5, 100]
    #else
        static let many = 20_000
        static let deepest = 10
        static let percents = [0, 0.5, 10, 33.3, 50, 75, 90, 99.5, 100]
    #endif

    enum Shape: CaseIterable {
        case uniform, skewed, ascending, twoValued, huge

        func value(_ index: Int, of count: Int, using random: inout SeededRandom) -> Double {
            switch self {
            case .uniform: random.unit()
            case .skewed: 1 / (1e-9 + random.unit() * random.unit())
            case .ascending: Double(index) / Double(count)
            case .twoValued: random.unit() < 0.25 ? -1 : 7
            case .huge: (random.unit() - 0.5) * 2 * .greatestFiniteMagnitude
            }
        }
    }

    /// A tree over the values from west to east, so that clusters of all sizes stand over them.
    static func tree(_ values: [Double]) throws -> ClusterTree {
        let points = values.enumerated().map { index, value in
            Samples.Point(
                position: WorldPoint(x: (Double(index) + 0.5) / Double(values.count), y: 0.5),
                attributes: [("v", .number(value))])
        }
        var options = ClusterOptions(
            radius: Radius(stops: [0: 1_000, 1: 160, 2: 160]), maxZoom: deepest)
        options.wrap = false
        options.aggregates = percents.map { percent in
            Aggregate("\(percent)", .percentile(percent), of: .attribute("v"))
        }
        return try ClusterTree(of: Samples.table(points), options: options)
    }

    @Test(arguments: Shape.allCases)
    func `a percentile of many values is less than 1 % from its rank`(shape: Shape) throws {
        var random = SeededRandom(seed: 9)
        let values = (0..<Self.many).map { shape.value($0, of: Self.many, using: &random) }
        let tree = try Self.tree(values)
        var large = 0
        for cluster in 0..<tree.clusterCount
        where Int(tree.leaves[cluster]) > AggregateOperation.exactPercentileLimit {
            large += 1
            let own = tree.leafRange(of: cluster).map { values[Int(tree.leafRows[$0])] }.sorted()
            let found = AggregateValueTests.attributes(tree.attributes, cluster)
            let numbers = Self.percents.compactMap { found["\($0)"]?.asNumber }
            #expect(numbers.count == Self.percents.count)
            #expect(numbers.first == own.first && numbers.last == own.last)
            #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 <= $1 })
            for (percent, number) in zip(Self.percents, numbers) {
                let below = Double(Self.count(own) { $0 < number }) / Double(own.count)
                let upTo = Double(Self.count(own) { $0 <= number }) / Double(own.count)
                #expect(below - 0.01 < percent / 100 && percent / 100 < upTo + 0.01)
            }
        }
        #expect(large >= 3)
    }

    /// How many of the sorted numbers are in the first part.
    private static func count(_ sorted: [Double], _ isInFirst: (Double) -> Bool) -> Int {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if isInFirst(sorted[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    @Test func `between many values a percentile lies in proportion as between few`() throws {
        let count = AggregateOperation.exactPercentileLimit + 1
        for values in [count - 1, count, 2 * count].map({ count in
            (0..<count).map { Double($0 * 7_919 % count) * 1_000 }
        }) {
            let tree = try Self.tree(values)
            let root = try #require(
                (0..<tree.clusterCount).first { Int(tree.leaves[$0]) == values.count })
            let found = AggregateValueTests.attributes(tree.attributes, root)
            for percent in Self.percents {
                let number = try #require(found["\(percent)"]?.asNumber)
                let wanted = percent / 100 * Double(values.count - 1) * 1_000
                #expect(abs(number - wanted) <= (values.count < count ? 1e-6 : 2_001))
            }
        }
    }
}
