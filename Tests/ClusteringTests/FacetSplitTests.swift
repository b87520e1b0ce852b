import Basics
import Points
import TestSupport
import Testing

@testable import Clustering

/// Values of facets that are counted in parts, and the texts that counts become.
struct FacetSplitTests {
    private static let specs = ["v", "v:0,10", "w:month", "v:0,10*w:month", "u"]

    private static func points(_ count: Int, using random: inout SeededRandom) -> [Samples.Point] {
        (0..<count).map { _ in
            var point = Samples.Point(position: EdgeTests.pair[0])
            let kinds: [AttributeValue] = [
                .integer(Int64(random.next() % 90)), .text("\(random.next() % 5)"),
                .number(.infinity), .bool(true), .number(Double(random.next() % 8) / 2),
            ]
            let kind = Int(random.next() % 7)
            if kind < kinds.count { point.attributes.append(("v", kinds[kind])) }
            let month = random.next() % 80
            if month > 3 {
                point.attributes.append(
                    ("w:month", .text("20\(10 + month / 12)-\(10 + month % 12)")))
            }
            return point
        }
    }

    private static func tally() throws -> FacetTally {
        FacetTally(try specs.map { try Facet(parsing: $0) })
    }

    private static func read(_ tally: FacetTally) throws -> FacetTally {
        var sink = BlockSink()
        tally.write(to: &sink)
        var source = BlockSource(sink.bytes)
        let read = try FacetTally(try specs.map { try Facet(parsing: $0) }, from: &source)
        #expect(throws: BlockSource.Damaged.self) { try source.byte() }
        var again = BlockSink()
        read.write(to: &again)
        #expect(again.bytes == sink.bytes)
        return read
    }

    @Test(arguments: UInt64(0)..<5)
    func `values that are counted in parts have the layouts of all points`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed + 660)
        let points = Self.points(Int.random(in: 0...400, using: &random), using: &random)
        var whole = try Self.tally()
        whole.add(Samples.table(points), threads: 2)
        var together = try Self.tally()
        var start = 0
        while start < points.count {
            let end = Int.random(in: start + 1...points.count, using: &random)
            var part = try Self.tally()
            part.add(Samples.table(Array(points[start..<end])))
            together.add(try Self.read(part))
            start = end
        }
        #expect(try together.layouts() == whole.layouts())
        #expect(try Self.read(whole).layouts() == whole.layouts())
    }

    @Test
    func `too many values in two parts together are too many, and the same ones twice are not`()
        throws
    {
        func part(_ values: Range<Int>) throws -> FacetTally {
            var tally = FacetTally([try Facet(parsing: "v")])
            tally.add(
                Samples.table(
                    values.map {
                        .init(position: EdgeTests.pair[0], attributes: [("v", .integer(Int64($0)))])
                    }))
            return tally
        }
        for (second, isFine) in [
            (5_000..<10_000, true), (5_000..<10_001, false),
        ] {
            for others in [[second, 0..<6_000], [0..<6_000, second]] {
                var all = try part(0..<1)
                for values in others { all.add(try part(values)) }
                #expect(((try? all.layouts()) != nil) == isFine)
                // It stays so, whatever else comes.
                all.add(try part(0..<1))
                #expect(((try? all.layouts()) != nil) == isFine)
            }
        }
    }

    @Test func `a thousand and twenty-four counts are the most`() throws {
        for (others, hasNone, count) in [(0, false, 3), (1, false, 4), (9, true, 5), (0, true, 4)] {
            let axis = FacetLayout.Axis(
                values: ["a", "b", "c"], otherValues: others, hasNone: hasNone)
            #expect(axis.count == count)
        }
        let facet = try Facet(parsing: "a*b")
        func layout(_ a: Int, _ b: Int) throws -> FacetLayout {
            func axis(_ count: Int) -> FacetLayout.Axis {
                // Others and points without a value count, too.
                .init(values: (0..<count - 2).map { "\($0)" }, otherValues: 3, hasNone: true)
            }
            return try FacetLayout(facet, axes: [axis(a), axis(b)])
        }
        #expect(try layout(32, 32).count == 1_024)
        #expect(throws: ClusteringError.self) { try layout(25, 41) }
        #expect(throws: ClusteringError.self) {
            try FacetLayout(facet, axes: [.init(values: ["a"])])
        }
        let breaks = (0..<64).map { "\($0)" }
        #expect(throws: ClusteringError.self) {
            try Facet(parsing: "v:" + breaks.joined(separator: ","))
        }
        #expect(try Facet(parsing: "v:" + breaks.dropLast().joined(separator: ",")).axes.count == 1)
    }

    @Test func `counts take as much room as the largest, and along time they are running totals`()
        throws
    {
        func layout(_ spec: String, _ counts: [Int]) throws -> FacetLayout {
            try FacetLayout(
                Facet(parsing: spec),
                axes: counts.map { .init(values: (0..<$0).map { "\($0)" }) })
        }
        func text(_ spec: String, _ axes: [Int], _ counts: [Int]) throws -> String {
            String(decoding: try layout(spec, axes).text(of: counts), as: UTF8.self)
        }
        #expect(try text("a", [3], [0, 12, 105]) == "000012105")
        #expect(try text("a", [3], [0, 0, 0]) == "000")
        #expect(try text("a", [2], [4_294_967_295, 10]) == "42949672950000000010")
        #expect(try text("t:month", [4], [3, 0, 5, 2]) == "03030810")
        #expect(try text("a*t:month", [2, 3], [1, 2, 3, 4, 0, 5]) == "136449")
        #expect(try text("a*b", [2, 2], [1, 2, 3, 4]) == "1234")
        let sums = try layout("a=sum:v", [4])
        func text(_ values: [Double]) -> String? {
            sums.text(of: values).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(text([0, -0.0, 12, -3.5]) == "000000000012-3.5")
        #expect(text([0, -7, 100, 2]) == "000-07100002")
        #expect(text([1, .infinity, 0, 0]) == nil && text([.nan, 1, 0, 0]) == nil)
    }

    @Test func `packed values are numbered as they come, also past the room for few`() {
        var random = SeededRandom(seed: 670)
        var values = ByteNumbers()
        var known: [[UInt8]: Int] = [:]
        for round in 0..<3_000 {
            let value = AttributeValue.integer(Int64(random.next() % UInt64(1 + round / 3)))
            var records = RecordBuilder()
            records.append(AttributeKey(number: 0), value)
            let bytes = Array(records.bytes.dropFirst())
            let number = values.number(of: bytes.span)
            #expect(number == known[bytes] ?? known.count)
            known[bytes] = number
            #expect(values.bytes(number) == bytes && values.count == known.count)
        }
        #expect(known.count > 300)
    }
}
