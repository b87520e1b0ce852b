import Points

/// A summary of many numbers that keeps some of them, to find a percentile at the end.
///
/// If there are too many numbers, every second one in their order is kept and stands for two; if there are too
/// many of these, every second one stands for four, and so on (Manku, Rajagopalan and Lindsay, SIGMOD 1998).
/// Keeping every second of m numbers that stand for w each shifts ranks by at most w, and uses up m · w of n
/// numbers, with m > k = `exactPercentileLimit`. So each doubling of w shifts ranks by at most n / k: together by
/// 20 / 4096 of n, half a percent, for the 2^32 points of the largest tree. Which numbers are kept depends only
/// on the order of the merges, which is that of the tree.
public struct QuantileSketch: Equatable, Sendable {
    /// Numbers that stand for one, two, four, … each, in no order.
    private var levels: [[Double]] = [[]]
    private var count = 0
    private var least = Double.infinity
    private var greatest = -Double.infinity
    /// A bit for each level: whether the first of two is kept the next time.
    private var keepsFirst: UInt64 = 0

    private static let limit = AggregateOperation.exactPercentileLimit

    init(_ numbers: [Double]) { insert(numbers) }

    mutating func insert(_ numbers: [Double]) {
        count += numbers.count
        for number in numbers {
            least = min(least, number)
            greatest = max(greatest, number)
        }
        levels[0] += numbers
        halveLevels()
    }

    mutating func merge(_ other: QuantileSketch) {
        count += other.count
        least = min(least, other.least)
        greatest = max(greatest, other.greatest)
        keepsFirst ^= other.keepsFirst
        for (level, numbers) in other.levels.enumerated() {
            if level == levels.count { levels.append([]) }
            levels[level] += numbers
        }
        halveLevels()
    }

    private mutating func halveLevels() {
        var level = 0
        while level < levels.count {
            if levels[level].count > Self.limit { halve(level) }
            level += 1
        }
    }

    /// Moves every second number of a level to the next; if their count is odd, the largest stays.
    private mutating func halve(_ level: Int) {
        var numbers: [Double] = []
        swap(&numbers, &levels[level])
        numbers.sort()
        if numbers.count % 2 == 1 { levels[level].append(numbers.removeLast()) }
        if level + 1 == levels.count { levels.append([]) }
        // By turns, so that a shift of ranks down is followed by one up.
        let first = keepsFirst >> UInt64(level) & 1 == 1 ? 0 : 1
        keepsFirst ^= 1 << UInt64(level)
        for index in stride(from: first, to: numbers.count, by: 2) {
            levels[level + 1].append(numbers[index])
        }
    }

    /// The number at a given share of the way from the smallest to the largest, in their order.
    func quantile(_ share: Double) -> Double {
        // The smallest and the largest number are always known.
        if share <= 0 { return least }
        if share >= 1 { return greatest }
        let entries = levels.enumerated().flatMap { level, numbers in
            numbers.map { (number: $0, weight: 1 << level) }
        }.sorted { $0.number < $1.number }
        let rank = share * Double(count - 1)
        // A number that stands for w lies in the middle of the w ranks that it takes.
        var low = (rank: 0.0, number: least)
        var passed = 0
        for entry in entries {
            let middle = Double(passed) + Double(entry.weight - 1) / 2
            guard middle <= rank else {
                let share = (rank - low.rank) / (middle - low.rank)
                return Self.between(low.number, entry.number, share)
            }
            low = (middle, entry.number)
            passed += entry.weight
        }
        let rest = Double(count - 1) - low.rank
        return rest > 0 ? Self.between(low.number, greatest, (rank - low.rank) / rest) : greatest
    }

    /// Interpolates linearly between two numbers.
    static func between(_ low: Double, _ high: Double, _ share: Double) -> Double {
        // The difference of two numbers may overflow.
        (high - low).isFinite ? low + (high - low) * share : low * (1 - share) + high * share
    }
}

extension QuantileSketch {
    func write(to sink: inout BlockSink) {
        sink.write(varint: count)
        for number in [least, greatest] { sink.write(number) }
        sink.write(keepsFirst)
        sink.write(levels) { sink, level in sink.write(level) { $0.write($1) } }
    }

    init(from source: inout BlockSource) throws(BlockSource.Damaged) {
        count = try source.varint()
        least = try source.double()
        greatest = try source.double()
        keepsFirst = try source.unsigned()
        levels = try source.array { source throws(BlockSource.Damaged) in
            try source.array { source throws(BlockSource.Damaged) in try source.double() }
        }
        guard (1...64).contains(levels.count) else { throw BlockSource.Damaged() }
    }
}
