import Points
import TestSupport
import Testing

@testable import Clustering

/// What parts of a cluster know, brought together in whatever groups, against what all points give at once.
struct ReducerSplitTests {
    private static let facets = ["kind", "kind*v:-1,1", "kind=sum:v", "v:0", "month:month"]

    private static func points(_ count: Int, using random: inout SeededRandom) -> [Samples.Point] {
        Samples.random(count, using: &random).map { point in
            var point = point
            point.attributes.removeAll { $0.0 == "value" }
            // Quarters, whose sums have no rounding.
            let values: [AttributeValue] = [
                .number(Double.random(in: -8...8, using: &random).rounded() / 4),
                .integer(Int64.random(in: -3...3, using: &random)), .unsigned(random.next() % 3),
                .text(["a", "b", "é", "1"].randomElement(using: &random)!),
                .bool(Bool.random(using: &random)), .number(.nan),
            ]
            let choice = Int.random(in: 0...values.count + 1, using: &random)
            if choice < values.count { point.attributes.append(("v", values[choice])) }
            if random.next() % 3 != 0 {
                point.attributes.append(("month:month", .text("2024-1\(random.next() % 3)")))
            }
            return point
        }
    }

    static func aggregates(_ table: PointTable) throws -> [Aggregate] {
        var tally = FacetTally(try facets.map { try Facet(parsing: $0) })
        tally.add(table)
        let words = AggregateOperation.words + ["p0", "p33", "p100", "top1", "concat2"]
        return try words.map { try Aggregate(parsing: "a=\($0):v") }
            + tally.layouts().map(\.aggregate)
    }

    static func values<R: AggregateReducer>(
        _ aggregate: Aggregate, _: R, _ points: [Samples.Point]
    ) -> LeafValues {
        LeafValues(
            aggregate.source, as: R.input, leafRows: Column(0..<UInt32(points.count)),
            of: Samples.table(points), workers: .init(1, scratch: .init()))
    }

    /// What one part of the points knows, written and read again as a job's files are.
    static func partial<R: AggregateReducer>(
        _ aggregate: Aggregate, _ reducer: R, _ points: [Samples.Point]
    ) throws -> PartialState? {
        let values = values(aggregate, reducer, points)
        var state: R.State?
        for leaf in points.indices {
            guard let next = reducer.state(of: leaf, in: values) else { continue }
            if state == nil { state = next } else { reducer.merge(&state!, next) }
        }
        guard let state else { return nil }
        var sink = BlockSink()
        reducer.partial(of: state, values).write(to: &sink)
        var source = BlockSource(sink.bytes)
        let read = try PartialState(from: &source)
        #expect(throws: BlockSource.Damaged.self) { try source.byte() }
        return read
    }

    /// The attributes that come of parts, in their order; of no part none.
    private static func result<R: AggregateReducer>(
        _ aggregate: Aggregate, _ reducer: R, _ parts: [PartialState]
    ) throws -> [String: AttributeValue] {
        var values = values(aggregate, reducer, [])
        var state: R.State?
        for part in parts {
            let next = try #require(reducer.state(of: part, &values))
            if state == nil { state = next } else { reducer.merge(&state!, next) }
        }
        guard let state else { return [:] }
        let keys = AttributeKeys()
        let names = ResultNames(
            key: keys.intern(aggregate.name),
            categories: values.distinct.map { keys.intern("a:\(ExactText.text(of: $0))") })
        var records = RecordBuilder()
        reducer.write(state, as: names, values, to: &records)
        var table = AttributeTable(keys: keys)
        table.append(records.bytes, ends: [UInt32(records.byteCount)].span)
        return AggregateValueTests.attributes(table, 0)
    }

    private static func pieces(
        _ points: [Samples.Point], using random: inout SeededRandom
    ) -> [[Samples.Point]] {
        var pieces: [[Samples.Point]] = [[]]
        let chance = UInt64.random(in: 1...8, using: &random)
        for point in points {
            if random.next() % chance == 0 { pieces.append([]) }
            pieces[pieces.count - 1].append(point)
        }
        return pieces
    }

    @Test(arguments: UInt64(0)..<6)
    func `parts in any cut give what all points give`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed + 630)
        let points = Self.points(Int.random(in: 1...60, using: &random), using: &random)
        for aggregate in try Self.aggregates(Samples.table(points)) {
            let reducer = aggregate.operation.makeReducer()
            let whole = try Self.partial(aggregate, reducer, points)
            let wanted = try Self.result(aggregate, reducer, [whole].compactMap { $0 })
            for _ in 0..<4 {
                let pieces = Self.pieces(points, using: &random)
                let parts = try pieces.compactMap { try Self.partial(aggregate, reducer, $0) }
                let found = try Self.result(aggregate, reducer, parts)
                #expect(
                    AggregateValueTests.agree(found, wanted),
                    "\(aggregate.operation) \(aggregate.name): \(found), not \(wanted)")
            }
        }
    }

    @Test func `what another aggregate knows is refused`() throws {
        var random = SeededRandom(seed: 640)
        let points = Self.points(60, using: &random)
        let aggregates = try Self.aggregates(Samples.table(points))
        let states = try aggregates.map { aggregate in
            try #require(
                try Self.partial(aggregate, aggregate.operation.makeReducer(), points))
        }
        func kind(_ state: PartialState) -> String { String("\(state)".prefix { $0 != "(" }) }
        for (aggregate, own) in zip(aggregates, states) {
            for other in states {
                // A facet's numbers are those that its layout has.
                var isRead = kind(own) == kind(other)
                if case .facet(let layout) = aggregate.operation, let last = Self.lastSlot(other) {
                    isRead = last < layout.count
                }
                #expect(
                    Self.reads(aggregate.operation.makeReducer(), other, aggregate) == isRead,
                    "\(aggregate.operation): \(own), \(other)")
            }
        }
    }

    private static func lastSlot(_ state: PartialState) -> Int? {
        if case .slots(let slots) = state { slots.last.map { Int($0.slot) } } else { nil }
    }

    private static func reads(
        _ reducer: some AggregateReducer, _ state: PartialState, _ aggregate: Aggregate
    ) -> Bool {
        var values = values(aggregate, reducer, [])
        return reducer.state(of: state, &values) != nil
    }
}
