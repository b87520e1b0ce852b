import Clustering
import Expressions
import Geometry
import Points
import TestSupport
import Testing

/// Points taken together by numbers, against a look at the points of each.
struct PointSetTests {
    private static func options(_ table: PointTable) throws -> ClusterOptions {
        var options = ClusterOptions(radius: 40, maxZoom: 3)
        options.aggregates = try ["n=count", "s=sum:value", "f=first:value", "h=histogram:kind"].map
        {
            try Aggregate(parsing: $0)
        }
        options.clusterProperties = [
            try ClusterProperty(name: "most", json: ["max", ["get", "value"]])
        ]
        var tally = FacetTally([try Facet(parsing: "kind")])
        tally.add(table)
        options.facets = try tally.layouts()
        return options
    }

    @Test(arguments: UInt64(0)..<6)
    func `each number has its points, and what a cluster of them would carry`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed + 900)
        let points = Samples.random(Int.random(in: 1...200, using: &random), using: &random)
        let table = Samples.table(points)
        let options = try Self.options(table)
        // Some rows in any order, and numbers that take all of their bits.
        let rows = points.indices.filter { _ in random.next() % 4 > 0 }.shuffled(using: &random)
        let bits = Int.random(in: 1...40, using: &random)
        let kinds = (0..<6).map { _ in Int64(random.next() >> UInt64(64 - bits)) }
        let numbers = points.map { _ in kinds.randomElement(using: &random)! }
        let sets = PointSets(
            of: table, rows: Column(rows.map { UInt32($0) }), options: options, bits: bits,
            threads: 1 + Int(seed % 3)
        ) { numbers[$0] }
        let wanted = Set(rows.map { numbers[$0] }).sorted()
        #expect((0..<sets.numbers.count).map { sets.numbers[$0] } == wanted)
        try #require(sets.counts.count == wanted.count && sets.attributes.count == wanted.count)
        for (set, number) in wanted.enumerated() {
            let members = rows.filter { numbers[$0] == number }
            #expect(Int(sets.counts[set]) == members.count)
            let values = members.compactMap { points[$0].value(of: "value")?.asNumber }
            func carried(_ name: String) -> AttributeValue? {
                sets.attributes.value(of: name, row: set)
            }
            #expect(carried("n") == .integer(Int64(members.count)))
            #expect(carried("s")?.asNumber == (values.isEmpty ? nil : values.reduce(0, +)))
            #expect(carried("f")?.asNumber == values.first)
            #expect(carried("most")?.asNumber == values.max())
            let cafes = members.count { points[$0].value(of: "kind") == .text("cafe") }
            #expect(carried("h:cafe")?.asNumber == (cafes == 0 ? nil : Double(cafes)))
            guard case .text(let text)? = carried("#kind") else {
                Issue.record("no counts")
                continue
            }
            let counts = FacetTests.numbers(text, options.facets[0])
            let place = options.facets[0].axes[0].values.firstIndex(of: "cafe")
            #expect(counts.reduce(0, +) == Double(members.count))
            if let place { #expect(counts[place] == Double(cafes)) }
        }
    }
}
