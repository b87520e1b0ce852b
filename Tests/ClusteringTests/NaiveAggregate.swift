import Clustering
import Points

/// Aggregates as their definitions say, over the values of a cluster's points in leaf order.
struct NaiveAggregate {
    let values: [AttributeValue]

    var numbers: [Double] { values.compactMap(\.asNumber).filter(\.isFinite) }

    private var mean: Double { numbers.reduce(0, +) / Double(numbers.count) }

    private var variance: Double {
        let mean = mean
        return numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(numbers.count)
    }

    private var bools: [Bool] {
        values.compactMap { if case .bool(let bool) = $0 { bool } else { nil } }
    }

    private var counts: [AttributeValue: Int] {
        values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// The most common values first, of equally common ones the smaller.
    private var ranked: [AttributeValue] {
        counts.sorted { ($1.value, Self.key($0.key)) < ($0.value, Self.key($1.key)) }.map(\.key)
    }

    /// Numbers before texts before truth values.
    static func key(_ value: AttributeValue) -> SortKey {
        switch value {
        case .text(let text): SortKey(kind: 1, number: 0, text: text)
        case .bool(let bool): SortKey(kind: 2, number: bool ? 1 : 0, text: "")
        default: SortKey(kind: 0, number: value.asNumber ?? .nan, text: "")
        }
    }

    struct SortKey: Comparable {
        var kind: Int
        var number: Double
        var text: String

        static func < (first: SortKey, second: SortKey) -> Bool {
            (first.kind, first.number, first.text) < (second.kind, second.number, second.text)
        }
    }

    private func percentile(_ percent: Double) -> Double {
        let sorted = numbers.sorted()
        let rank = percent / 100 * Double(sorted.count - 1)
        let (below, share) = (Int(rank), rank - rank.rounded(.down))
        let above = min(below + 1, sorted.count - 1)
        return sorted[below] * (1 - share) + sorted[above] * share
    }

    private func firstDistinct(_ limit: Int) -> [AttributeValue] {
        var seen: Set<AttributeValue> = []
        return Array(values.filter { seen.insert($0).inserted }.prefix(limit))
    }

    static func text(of value: AttributeValue) -> String {
        switch value {
        case .text(let text): text
        case .bool(let bool): "\(bool)"
        case .integer(let integer): "\(integer)"
        case .unsigned(let unsigned): "\(unsigned)"
        case .number(let number): "\(number)"
        }
    }

    private static func joined(_ values: [AttributeValue]) -> AttributeValue {
        .text(values.map(text).joined(separator: ", "))
    }

    /// What the cluster carries under the name `a`; a histogram has a name for each category.
    func result(of operation: AggregateOperation) -> [String: AttributeValue] {
        if operation == .histogram {
            return counts.reduce(into: [:]) {
                $0["a:" + Self.text(of: $1.key)] = .integer(Int64($1.value))
            }
        }
        return value(of: operation).map { ["a": $0] } ?? [:]
    }

    private func value(of operation: AggregateOperation) -> AttributeValue? {
        switch operation {
        case .count: .integer(Int64(values.count))
        case .any: bools.isEmpty ? nil : .bool(bools.contains(true))
        case .all: bools.isEmpty ? nil : .bool(!bools.contains(false))
        case .mode: ranked.first
        case .first: values.first
        case .earliest: values.min { Self.key($0) < Self.key($1) }
        case .latest: values.min { Self.key($1) < Self.key($0) }
        case .distinct: .integer(Int64(counts.count))
        case .top(let count): values.isEmpty ? nil : Self.joined(Array(ranked.prefix(count)))
        case .concat(let limit, _): values.isEmpty ? nil : Self.joined(firstDistinct(limit))
        case .histogram: nil
        default: numbers.isEmpty ? nil : AttributeValue(canonical: number(of: operation))
        }
    }

    private func number(of operation: AggregateOperation) -> Double {
        switch operation {
        case .sum: numbers.reduce(0, +)
        case .min: numbers.min() ?? .nan
        case .max: numbers.max() ?? .nan
        case .mean: mean
        case .variance: variance
        case .stddev: variance.squareRoot()
        case .percentile(let percent): percentile(percent)
        default: .nan
        }
    }
}
