import Expressions
import ParallelColumns
import Points

/// The values that an aggregate reads: one for each leaf, in leaf order.
struct LeafValues: Sendable {
    /// The form in which a reducer reads values.
    enum Kind: Sendable {
        /// 1 where there is a value.
        case presence
        case number
        /// 1 for true, 0 for false.
        case bool
        /// Numbers that stand for distinct values.
        case code
    }

    /// NaN where a leaf has no usable value.
    private var numbers = Column<Double>()
    /// `noCode` where a leaf has no value.
    private var codes = Column<UInt32>()
    private(set) var distinct: [AttributeValue] = []
    private var codesOfValues: [ExactValue: UInt32] = [:]
    /// Values that are missing, and values of the wrong kind.
    private(set) var missing = 0
    private(set) var unusable = 0

    private static let noCode = UInt32.max

    init(
        _ source: Aggregate.Source, as kind: Kind, leafRows: Column<UInt32>, of points: PointTable,
        workers: Workers
    ) {
        // Most cells have no points of most groups: their whole table need not be read for each.
        guard !leafRows.isEmpty else { return }
        let reader = ValueReader(source, of: points)
        if case .facet(let layout) = source {
            if layout.facet.sum != nil { read(reader, as: .number, leafRows, workers) }
            // A point without a number still has its place; what is missing is the value that gives the place.
            (missing, unusable) = (0, 0)
            readSlots(of: layout, points, leafRows, workers)
        } else if kind == .code {
            encode(reader, leafRows)
        } else {
            read(reader, as: kind, leafRows, workers)
        }
    }

    @inline(__always)
    func number(_ leaf: Int) -> Double? {
        let number = numbers[leaf]
        return number.isNaN ? nil : number
    }

    func code(_ leaf: Int) -> UInt32? { codes[leaf] == Self.noCode ? nil : codes[leaf] }

    func value(ofCode code: UInt32) -> AttributeValue { distinct[Int(code)] }

    func text(ofCode code: UInt32) -> String { ExactText.text(of: distinct[Int(code)]) }

    /// The code of a value, even if no leaf has that value.
    mutating func code(of value: AttributeValue) -> UInt32 {
        let key = ExactValue(value: value)
        if let code = codesOfValues[key] { return code }
        codesOfValues[key] = UInt32(distinct.count)
        distinct.append(value)
        return UInt32(distinct.count - 1)
    }

    /// Whether one value comes before another.
    func precedes(_ first: UInt32, _ second: UInt32) -> Bool {
        distinct[Int(first)].precedes(distinct[Int(second)])
    }

    /// Reads the values row by row, as they lie in memory, then puts them in leaf order.
    private mutating func read(
        _ reader: ValueReader, as kind: Kind, _ leafRows: Column<UInt32>, _ workers: Workers
    ) {
        numbers = Column(repeating: 0, count: leafRows.count)
        let target = SharedColumn(filling: &numbers)
        let rows = SharedColumn(viewing: leafRows)
        let pieces = workers.cut(leafRows.count)
        let skips = workers.stage { workers in
            let source = Self.numbers(reader, as: kind, workers)
            return workers.map(pieces) { leaves in
                var skipped = (missing: 0, unusable: 0)
                for leaf in leaves {
                    let number = source[rows[leaf]]
                    target[leaf] = number
                    guard number.isNaN else { continue }
                    if number.bitPattern == ValueReader.unusable.bitPattern {
                        skipped.unusable += 1
                    } else {
                        skipped.missing += 1
                    }
                }
                return skipped
            }
        }
        for skipped in skips {
            missing += skipped.missing
            unusable += skipped.unusable
        }
    }

    private static func numbers(
        _ reader: ValueReader, as kind: Kind, _ workers: Workers
    ) -> SharedColumn<Double> {
        let numbers = SharedColumn<Double>(count: reader.rowCount, in: workers.scratch)
        workers.forEachRange(of: numbers.count) { range in
            reader.readNumbers(ofRows: range, as: kind) { numbers[$0] = $1 }
        }
        return numbers
    }

    /// Finds for each leaf which count of a facet it belongs to. Reads row by row, as `read` does.
    private mutating func readSlots(
        of layout: FacetLayout, _ points: PointTable, _ leafRows: Column<UInt32>, _ workers: Workers
    ) {
        codes = Column(repeating: Self.noCode, count: leafRows.count)
        let target = SharedColumn(filling: &codes)
        let rows = SharedColumn(viewing: leafRows)
        let blank = FacetSlots(layout, points.attributes.keys)
        workers.stage { workers in
            let slots = SharedColumn<UInt32>(count: points.count, in: workers.scratch)
            workers.forEachRange(of: points.count) { range in
                var finder = blank
                points.attributes.forEachRecord(of: range) { row, record in
                    slots[row] = finder.slot(of: record) ?? Self.noCode
                }
            }
            let isMissing = layout.countsOfMissing
            let counts = workers.map(workers.cut(leafRows.count)) { range in
                range.reduce(into: 0) { missing, leaf in
                    let slot = slots[rows[leaf]]
                    target[leaf] = slot
                    if slot != Self.noCode, isMissing[Int(slot)] { missing += 1 }
                }
            }
            missing += counts.reduce(0, +)
        }
    }

    /// Numbers distinct values in leaf order, which does not depend on the order of the input.
    private mutating func encode(_ reader: ValueReader, _ leafRows: Column<UInt32>) {
        codes = Column(repeating: Self.noCode, count: leafRows.count)
        for leaf in 0..<leafRows.count {
            guard let value = reader.value(ofRow: Int(leafRows[leaf])) else {
                missing += 1
                continue
            }
            // NaN equals nothing, itself included.
            guard value == value else {
                unusable += 1
                continue
            }
            codes[leaf] = code(of: value)
        }
    }
}

extension AttributeValue {
    /// Whether it comes before another: numbers, then texts, then truth values, each in their own order.
    func precedes(_ other: AttributeValue) -> Bool {
        switch (self, other) {
        case (.text(let a), .text(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
        case (.bool(let a), .bool(let b)): !a && b
        case (.integer(let a), .integer(let b)): a < b
        case (.unsigned(let a), .unsigned(let b)): a < b
        default: order < other.order
        }
    }

    /// A sort key: numbers by size, then by kind where they are equal as doubles; then the other kinds.
    fileprivate var order: (kind: Int, number: Double, subkind: Int) {
        switch self {
        case .number(let number): (0, number, 0)
        case .integer(let integer): (0, Double(integer), 1)
        case .unsigned(let unsigned): (0, Double(unsigned), 2)
        case .text: (1, 0, 0)
        case .bool: (2, 0, 0)
        }
    }
}

/// A value compared by its bytes: texts that differ in bytes are different, even if Swift takes them for equal. So
/// which of them is reported does not depend on points elsewhere.
private struct ExactValue: Hashable, Sendable {
    let value: AttributeValue

    static func == (first: ExactValue, second: ExactValue) -> Bool {
        switch (first.value, second.value) {
        case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
        default: first.value == second.value
        }
    }

    func hash(into hasher: inout Hasher) {
        guard case .text(let text) = value else { return value.hash(into: &hasher) }
        hasher.combine(text)
    }
}
