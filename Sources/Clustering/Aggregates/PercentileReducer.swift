import Points
import CLibrary

/// A percentile: exact up to `exactPercentileLimit` values, beyond that within 1 % of the value.
///
/// Many values are counted in buckets whose bounds grow by a constant factor. Counts add up to the
/// same whatever the order.
struct PercentileReducer: AggregateReducer {
    static let input = LeafValues.Kind.number
    /// A bucket spans a factor of (1 + e) / (1 - e), so its middle is off by e at most.
    private static let relativeError = 0.01
    private static let logFactor = log((1 + relativeError) / (1 - relativeError))
    /// Below the logarithm of every magnitude, so that buckets are numbered from 1.
    private static let leastLog = -746.0

    let percent: Double

    enum State: Sendable {
        case exact([Double])
        case buckets([Int: Int])
    }

    func state(of leaf: Int, in values: LeafValues) -> State? {
        values.number(leaf).map { .exact([$0]) }
    }

    func merge(_ state: inout State, _ next: State) {
        switch (state, next) {
        case (.exact(var values), .exact(let more))
        where values.count + more.count <= AggregateOperation.exactPercentileLimit:
            state = .exact([])
            values += more
            state = .exact(values)
        default:
            var counts = Self.buckets(of: state)
            state = .exact([])
            counts.merge(Self.buckets(of: next), uniquingKeysWith: +)
            state = .buckets(counts)
        }
    }

    func write(
        _ state: State, as names: ResultNames, _ values: LeafValues,
        to records: inout RecordBuilder
    ) {
        records.append(names.key, result: result(of: state))
    }

    private func result(of state: State) -> Double {
        switch state {
        case .exact(let values):
            // Between two values the percentile lies in proportion.
            let sorted = values.sorted()
            let rank = percent / 100 * Double(sorted.count - 1)
            let below = Int(rank)
            let above = min(below + 1, sorted.count - 1)
            let (low, high, share) = (sorted[below], sorted[above], rank - Double(below))
            // Two numbers may be further apart than the largest number.
            return (high - low).isFinite
                ? low + (high - low) * share : low * (1 - share) + high * share
        case .buckets(let counts):
            let total = counts.values.reduce(0, +)
            var rest = Int(percent / 100 * Double(total - 1))
            let sorted = counts.sorted { $0.key < $1.key }
            for bucket in sorted {
                rest -= bucket.value
                if rest < 0 { return Self.value(ofBucket: bucket.key) }
            }
            return sorted.last.map { Self.value(ofBucket: $0.key) } ?? 0
        }
    }

    private static func buckets(of state: State) -> [Int: Int] {
        switch state {
        case .buckets(let counts): counts
        case .exact(let values):
            values.reduce(into: [:]) { $0[bucket(of: $1), default: 0] += 1 }
        }
    }

    /// Buckets of magnitudes are numbered from 1; those of negative numbers have negative numbers.
    private static func bucket(of value: Double) -> Int {
        guard value != 0 else { return 0 }
        let number = Int(((log(value.magnitude) - leastLog) / logFactor).rounded(.up))
        return value < 0 ? -number : number
    }

    private static func value(ofBucket number: Int) -> Double {
        guard number != 0 else { return 0 }
        let upperLog = Double(number.magnitude) * logFactor + leastLog
        // The middle of the last bucket may lie past the largest number.
        let middle = min(exp(upperLog + log(1 - relativeError)), .greatestFiniteMagnitude)
        return number < 0 ? -middle : middle
    }
}
