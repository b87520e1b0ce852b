import Basics
import ParallelColumns
import Points

/// Counts how often each value occurs among points; layouts are made from these counts.
public struct FacetTally: Sendable {
    private let facets: [Facet]
    /// One tally for each axis of each facet.
    private var axes: [AxisTally]

    public init(_ facets: [Facet]) {
        self.facets = facets
        axes = facets.flatMap(\.axes).map(AxisTally.init)
    }

    /// Counts the values of points.
    public mutating func add(_ points: PointTable, threads: Int = 1) {
        guard !facets.isEmpty else { return }
        let blank = FacetTally(facets)
        let parts = Workers.with(threads, expecting: 0) { workers in
            workers.map(workers.cut(points.count)) { rows in
                var part = blank
                for index in part.axes.indices { part.axes[index].count(rows, of: points) }
                return part
            }
        }
        for part in parts { add(part) }
    }

    /// Adds the counts of other points.
    public mutating func add(_ other: FacetTally) {
        for (index, axis) in other.axes.enumerated() { axes[index].add(axis) }
    }

    /// Subtracts the counts of points that were added before.
    public mutating func remove(_ other: FacetTally) {
        for (index, axis) in other.axes.enumerated() { axes[index].remove(axis) }
    }

    /// The layouts of all facets.
    public func layouts() throws(ClusteringError) -> [FacetLayout] {
        var layouts: [FacetLayout] = []
        var next = 0
        for facet in facets {
            var own: [FacetLayout.Axis] = []
            for axis in axes[next..<next + facet.axes.count] {
                guard !axis.isTooLarge else {
                    throw .badFacet(
                        text: facet.name,
                        reason:
                            "\(axis.axis.attribute) has more than \(AxisTally.mostDistinct) different "
                            + "values; use breaks of numbers (\(axis.axis.attribute):0,10,100), a unit of time "
                            + "(\(axis.axis.attribute):month) or another attribute")
                }
                own.append(axis.layout)
            }
            next += facet.axes.count
            layouts.append(try FacetLayout(facet, axes: own))
        }
        return layouts
    }
}

/// How often each value of one axis occurs.
private struct AxisTally: Sendable {
    let axis: Facet.Axis
    /// The counts, by the bytes of packed values: texts that differ in bytes are apart, even if Swift
    /// takes them for equal.
    private var counts: [[UInt8]: Int] = [:]
    private var none = 0
    private(set) var isTooLarge = false

    /// The most values that may differ; an attribute with more has no categories.
    static let mostDistinct = 10_000

    init(_ axis: Facet.Axis) { self.axis = axis }

    mutating func count(_ rows: Range<Int>, of points: PointTable) {
        guard let key = points.attributes.keys.key(named: axis.carriedBy) else {
            none += rows.count
            return
        }
        if case .breaks = axis.kind { return countMissing(rows, of: points, key) }
        var values = ByteNumbers()
        var found: [Int] = []
        var missing = 0
        let limit = Self.mostDistinct
        points.attributes.forEachRecord(of: rows) { _, record in
            guard let value = record.value(of: key) else {
                missing += 1
                return
            }
            guard values.count <= limit else { return }
            let number = values.number(of: value.bytes)
            if number == found.count { found.append(1) } else { found[number] += 1 }
        }
        none += missing
        for (number, count) in found.enumerated() { add(values.bytes(number), count) }
    }

    private mutating func countMissing(
        _ rows: Range<Int>, of points: PointTable, _ key: AttributeKey
    ) {
        var missing = 0
        points.attributes.forEachRecord(of: rows) { _, record in
            if record.value(of: key)?.number?.isFinite != true { missing += 1 }
        }
        none += missing
    }

    private mutating func add(_ value: [UInt8], _ count: Int) {
        guard !isTooLarge else { return }
        counts[value, default: 0] += count
        if counts.count > Self.mostDistinct {
            isTooLarge = true
            counts = [:]
        }
    }

    mutating func add(_ other: AxisTally) {
        none += other.none
        if other.isTooLarge { (isTooLarge, counts) = (true, [:]) }
        for (value, count) in other.counts { add(value, count) }
    }

    mutating func remove(_ other: AxisTally) {
        none -= other.none
        for (value, count) in other.counts {
            let left = (counts[value] ?? 0) - count
            counts[value] = left > 0 ? left : nil
        }
    }

    var layout: FacetLayout.Axis {
        if case .breaks(let breaks) = axis.kind {
            return .init(values: Self.words(for: breaks), hasNone: none > 0)
        }
        let values = counts.map { (value: PackedValue($0.key.span).unpacked, count: $0.value) }
        var texts: [[UInt8]: Int] = [:]
        for (value, count) in values {
            texts[Array(ExactText.text(of: value).utf8), default: 0] += count
        }
        let areNumbers = !axis.isDate && values.allSatisfy { $0.value.asNumber != nil }
        let kept = kept(of: texts, areNumbers: areNumbers)
        return .init(
            values: kept.map { String(decoding: $0, as: UTF8.self) }, areNumbers: areNumbers,
            otherValues: texts.count - kept.count, hasNone: none > 0)
    }

    /// The values to keep, in their own order, so that their places do not change with what is common. If there
    /// are too many, the latest moments are kept, and of other values the most common.
    private func kept(of texts: [[UInt8]: Int], areNumbers: Bool) -> [[UInt8]] {
        let ordered = texts.keys.sorted { $0.lexicographicallyPrecedes($1) }
        if axis.isDate { return ordered.suffix(Facet.mostValues) }
        let ranks = Dictionary(ordered.enumerated().map { ($1, $0) }) { first, _ in first }
        let common = texts.sorted {
            ($1.value, ranks[$0.key] ?? 0) < ($0.value, ranks[$1.key] ?? 0)
        }.prefix(Facet.mostValues).map(\.key)
        guard areNumbers else { return common.sorted { $0.lexicographicallyPrecedes($1) } }
        func number(_ text: [UInt8]) -> Double {
            Double(String(decoding: text, as: UTF8.self)) ?? 0
        }
        return common.sorted { (number($0), ranks[$0] ?? 0) < (number($1), ranks[$1] ?? 0) }
    }

    private static func words(for breaks: [Double]) -> [String] {
        let texts = breaks.map { ExactText.text(of: $0) }
        return ["below \(texts[0])"] + zip(texts, texts.dropFirst()).map { "\($0) to \($1)" }
            + ["\(texts[texts.count - 1]) and more"]
    }
}

extension FacetTally {
    public func write(to sink: inout BlockSink) {
        for axis in axes { axis.write(to: &sink) }
    }

    public init(_ facets: [Facet], from source: inout BlockSource) throws(BlockSource.Damaged) {
        self.init(facets)
        for index in axes.indices { try axes[index].read(&source) }
    }
}

extension AxisTally {
    fileprivate func write(to sink: inout BlockSink) {
        sink.write(none)
        sink.write(byte: isTooLarge ? 1 : 0)
        let ordered = counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        sink.write(ordered) { sink, entry in
            sink.write(entry.key)
            sink.write(varint: entry.value)
        }
    }

    fileprivate mutating func read(_ source: inout BlockSource) throws(BlockSource.Damaged) {
        none = try source.int()
        isTooLarge = try source.byte() != 0
        let entries = try source.array { source throws(BlockSource.Damaged) in
            (try source.raw(), try source.varint())
        }
        for (value, count) in entries { counts[value] = count }
    }
}
