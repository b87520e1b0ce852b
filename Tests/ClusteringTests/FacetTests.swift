import Clustering
import Geometry
import Points
import TestSupport
import Testing

/// Counts by value against counts by hand.
struct FacetTests {
    private static let specs = [
        "kind", "value:10,50,90", "mixed", "kind*value:30", "kind=sum:value", "month:month",
        "kind*month:month",
    ]

    private static func points(_ count: Int, using random: inout SeededRandom) -> [Samples.Point] {
        Samples.random(count, using: &random).map { point in
            var point = point
            let mixed: [AttributeValue] = [
                .integer(1), .text("1"), .bool(true), .text("é"), .text("e\u{301}"),
            ]
            point.attributes.append(("mixed", mixed[Int(random.next() % 5)]))
            if random.next() % 5 != 0 {
                point.attributes.append(("month:month", .text("2024-\(10 + random.next() % 3)")))
            }
            return point
        }
    }

    private static func layouts(_ specs: [String], _ table: PointTable) throws -> [FacetLayout] {
        var tally = FacetTally(try specs.map { try Facet(parsing: $0) })
        tally.add(table, threads: 2)
        return try tally.layouts()
    }

    /// The place of a point along an axis, by hand.
    private static func place(_ axis: Facet.Axis, _ known: FacetLayout.Axis, _ point: Samples.Point)
        -> Int
    {
        let none = known.count - 1
        guard let value = point.value(of: axis.carriedBy) else { return none }
        if case .breaks(let breaks) = axis.kind {
            guard let number = value.asNumber else { return none }
            return breaks.filter { $0 <= number }.count
        }
        let text =
            switch value {
            case .text(let text): text
            case .bool(let bool): "\(bool)"
            default: "\(Int(value.asNumber ?? 0))"
            }
        return known.values.firstIndex { $0.utf8.elementsEqual(text.utf8) } ?? known.values.count
    }

    /// The numbers in the text of a cluster, apart.
    static func numbers(_ text: String, _ layout: FacetLayout) -> [Double] {
        let width = text.count / layout.count
        let row = layout.axes[layout.axes.count - 1].count
        let all = (0..<layout.count).map { index in
            Double(text.dropFirst(index * width).prefix(width)) ?? .nan
        }
        guard layout.facet.isRunning else { return all }
        return all.indices.map { $0 % row == 0 ? all[$0] : all[$0] - all[$0 - 1] }
    }

    @Test(arguments: UInt64(0)..<20)
    func `each cluster has the counts of its points`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let points = Self.points(Int.random(in: 2...300, using: &random), using: &random)
        let table = Samples.table(points)
        var options = ClusterOptions(radius: 60, maxZoom: 6)
        options.facets = try Self.layouts(Self.specs, table)
        let tree = try ClusterTree(of: table, options: options, threads: Int(1 + seed % 3))
        for cluster in 0..<tree.clusterCount {
            for layout in options.facets {
                var expected = [Double](repeating: 0, count: layout.count)
                for leaf in tree.leafRange(of: cluster) {
                    let point = points[Int(tree.leafRows[leaf])]
                    var place = 0
                    for (axis, known) in zip(layout.facet.axes, layout.axes) {
                        place = place * known.count + Self.place(axis, known, point)
                    }
                    expected[place] +=
                        layout.facet.sum == nil ? 1 : point.value(of: "value")?.asNumber ?? 0
                }
                let carried = tree.attributes.value(of: layout.facet.attribute, row: cluster)
                guard case .text(let text) = carried else {
                    Issue.record("\(layout.facet.name) is missing")
                    continue
                }
                #expect(Self.numbers(text, layout) == expected, "\(layout.facet.name): \(text)")
            }
        }
    }

    @Test func `of many values the most common are told apart, of moments the latest`() throws {
        var points: [Samples.Point] = []
        for number in 0..<100 {
            for _ in 0...(number % 10) {
                let text = AttributeValue.text("v\(number)")
                points.append(
                    Samples.Point(
                        position: EdgeTests.pair[0],
                        attributes: [("v", text), ("w:year", .text("\(1900 + number)"))]))
            }
        }
        let layouts = try Self.layouts(["v", "w:year"], Samples.table(points))
        #expect(layouts[0].axes[0].values.count == 64 && layouts[0].axes[0].otherValues == 36)
        #expect(layouts[0].axes[0].values.prefix(5) == ["v13", "v14", "v15", "v16", "v17"])
        #expect(layouts[1].axes[0].values == (1936...1999).map { "\($0)" })
    }

    @Test func `numbers come in their order`() throws {
        let values: [AttributeValue] = [.integer(10), .integer(9), .integer(9), .number(2.5)]
        let table = Samples.table(
            values.map { .init(position: EdgeTests.pair[0], attributes: [("n", $0)]) })
        let axis = try Self.layouts(["n"], table)[0].axes[0]
        #expect(axis.values == ["2.5", "9", "10"] && axis.areNumbers && !axis.hasNone)
    }

    @Test func `texts come in their order, however common they are`() throws {
        func values(_ texts: [String]) throws -> [String] {
            let table = Samples.table(
                texts.map { .init(position: EdgeTests.pair[0], attributes: [("t", .text($0))]) })
            return try Self.layouts(["t"], table)[0].axes[0].values
        }
        #expect(try values(["b", "a", "c"]) == ["a", "b", "c"])
        #expect(try values(["b", "a", "c", "c", "c", "b"]) == ["a", "b", "c"])
    }

    @Test(arguments: [
        "", "*", "kind*", "a*b*c", "kind=sum:", "v:3,2", "v:1,1",
    ])
    func `what is no facet is refused`(text: String) {
        #expect(throws: ClusteringError.self) { try Facet(parsing: text) }
    }

    @Test func `a colon that says nothing belongs to the name, and moments come last`() throws {
        #expect(try Facet(parsing: "addr:street").axes[0].attribute == "addr:street")
        #expect(try Facet(parsing: "when:month*kind").name == "kind*when:month")
    }

    @Test func `too many values are refused with what would do`() throws {
        let points = (0..<10_001).map { number in
            Samples.Point(position: EdgeTests.pair[0], attributes: [("v", .integer(Int64(number)))])
        }
        let table = Samples.table(points)
        #expect(throws: ClusteringError.self) { try Self.layouts(["v"], table) }
        #expect(throws: Never.self) { try Self.layouts(["v:100"], table) }
        // Ten thousand are not.
        let fewer = Samples.table(Array(points.dropLast()))
        #expect(throws: Never.self) { try Self.layouts(["v"], fewer) }
    }

    @Test func `sums are written so that they are read again, whatever they are`() throws {
        let values = [-0.5, 1e-9, 1e300, 12, 0]
        let points = values.map { value in
            Samples.Point(
                position: EdgeTests.pair[0],
                attributes: [("v", .number(value)), ("k", .text("\(value)"))])
        }
        let table = Samples.table(points)
        var options = ClusterOptions(radius: 60, maxZoom: 0)
        options.facets = try Self.layouts(["k=sum:v"], table)
        let tree = try ClusterTree(of: table, options: options)
        guard case .text(let text) = tree.attributes.value(of: "#k=sum:v", row: 0) else {
            Issue.record("no sums")
            return
        }
        #expect(Set(Self.numbers(text, options.facets[0])) == Set(values))
    }

    /// Counts that differ by little, gathered from several tables.
    @Test(arguments: 0..<4)
    func `of too many values the most common are kept, and of equals the first`(seed: UInt64) throws
    {
        var random = SeededRandom(seed: seed + 90)
        var tally = FacetTally([try Facet(parsing: "kind")])
        var counts: [String: Int] = [:]
        for _ in 0..<5 {
            let points = (0..<150).map { _ in
                let kind = "k\(100 + random.next() % 90)"
                counts[kind, default: 0] += 1
                return Samples.Point(
                    position: WorldPoint(x: 0.5, y: 0.5), attributes: [("kind", .text(kind))])
            }
            tally.add(Samples.table(points))
        }
        let common = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(64)
        let axis = try tally.layouts()[0].axes[0]
        #expect(axis.values == common.map(\.key).sorted())
        #expect(axis.otherValues == counts.count - 64 && !axis.hasNone && !axis.areNumbers)
    }

    @Test func `facets are the same where they are written alike`() throws {
        let texts = ["kind", "kind*day:month", "n:3,6", "n:3", "kind=sum:n"]
        for a in texts {
            for b in texts { #expect((try Facet(parsing: a) == Facet(parsing: b)) == (a == b)) }
        }
        #expect(try Facet(parsing: "day:month*kind") == Facet(parsing: "kind*day:month"))
    }
}
