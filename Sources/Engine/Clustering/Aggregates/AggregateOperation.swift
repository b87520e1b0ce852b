/// What an aggregate does with the values of a cluster's points.
public enum AggregateOperation: Equatable, Sendable, CustomStringConvertible {
    case count, sum, min, max, mean, variance, stddev
    /// The value below which the given percentage of the values lies; 50 is the median. It is exact for up to
    /// `exactPercentileLimit` values. For more, the result is off by less than 1 % of all values in their order,
    /// and never beyond the smallest or the largest.
    case percentile(Double)
    case mode, distinct, any, all, first
    /// The first and the last value in their order: numbers, then texts by their bytes, then truth values.
    case earliest, latest
    case concat(limit: Int, separator: String)
    case histogram
    case top(Int)
    /// A count or a sum for each value of a facet; it has a syntax of its own, not a word.
    case facet(FacetLayout)

    /// The words that name operations.
    public static let words = [
        "count", "sum", "min", "max", "mean", "variance", "stddev", "median", "p90", "mode",
        "distinct", "any", "all", "first", "earliest", "latest", "concat", "histogram", "top",
    ]

    /// The most values for which a percentile is exact.
    public static let exactPercentileLimit = 4_096

    private static let plain: [String: AggregateOperation] = [
        "count": .count, "sum": .sum, "min": .min, "max": .max, "mean": .mean,
        "variance": .variance, "stddev": .stddev, "median": .percentile(50), "mode": .mode,
        "distinct": .distinct, "any": .any, "all": .all, "first": .first,
        "earliest": .earliest, "latest": .latest,
        "concat": .concat(limit: 10, separator: ", "), "histogram": .histogram, "top": .top(3),
    ]

    /// The operation that a word names. `p90`, `top5` and `concat20` carry a number, and `concat` may carry the
    /// separator of the values, too: `concat20 / `.
    public init?(_ word: String) {
        if let operation = Self.plain[word] {
            self = operation
        } else if let percent = Self.number(in: word, after: "p") {
            self = .percentile(percent)
        } else if let count = Self.number(in: word, after: "top"), let top = Int(exactly: count) {
            self = .top(top)
        } else if let concat = Self.concat(word) {
            self = concat
        } else {
            return nil
        }
        guard fault == nil else { return nil }
    }

    /// What is wrong with its number; nil if nothing is.
    var fault: String? {
        switch self {
        case .percentile(let percent) where !(0...100).contains(percent):
            "a percentile is 0 to 100, not \(percent)"
        case .top(let count) where !(1...1000).contains(count),
            .concat(let count, _) where !(1...1000).contains(count):
            "it takes 1 to 1000 values, not \(count)"
        default: nil
        }
    }

    private static func concat(_ word: String) -> AggregateOperation? {
        guard word.hasPrefix("concat") else { return nil }
        let rest = word.dropFirst("concat".count)
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        let separator = rest.dropFirst(digits.count)
        let limit = digits.isEmpty ? 10 : Int(digits) ?? 0
        // A letter or a digit here is more likely a typo: `concatt`, `concat1e3`.
        guard separator.first?.isLetter != true, separator.first?.isNumber != true else {
            return nil
        }
        return .concat(limit: limit, separator: separator.isEmpty ? ", " : String(separator))
    }

    private static func number(in word: String, after prefix: String) -> Double? {
        guard word.hasPrefix(prefix), let first = word.dropFirst(prefix.count).first,
            first.isASCII, first.isNumber
        else { return nil }
        return Double(word.dropFirst(prefix.count))
    }

    public var description: String {
        switch self {
        case .percentile(let percent):
            percent == 50 ? "median" : "p\(ExactText.text(of: percent))"
        case .concat(let limit, let separator):
            "concat" + (limit == 10 ? "" : "\(limit)") + (separator == ", " ? "" : separator)
        case .top(let count): count == 3 ? "top" : "top\(count)"
        default: Self.plain.first { $0.value == self }?.key ?? ""
        }
    }
}

extension AggregateOperation {
    /// The reducer that does it: a new operation is a case, a word and a line here.
    func makeReducer() -> any AggregateReducer {
        switch self {
        case .count: CountReducer()
        case .sum: SumReducer()
        case .min: ExtremeReducer(sign: -1)
        case .max: ExtremeReducer(sign: 1)
        case .mean: MeanReducer()
        case .variance: SpreadReducer(isDeviation: false)
        case .stddev: SpreadReducer(isDeviation: true)
        case .percentile(let percent): PercentileReducer(percent: percent)
        case .any: LogicReducer(decisive: true)
        case .all: LogicReducer(decisive: false)
        case .first: FirstReducer()
        case .earliest: OrderReducer(isLast: false)
        case .latest: OrderReducer(isLast: true)
        case .mode: TallyReducer(result: .mode)
        case .distinct: TallyReducer(result: .distinct)
        case .histogram: TallyReducer(result: .histogram)
        case .top(let count): TallyReducer(result: .top(count))
        case .facet(let layout) where layout.facet.sum == nil: FacetReducer<Int>(layout: layout)
        case .facet(let layout): FacetReducer<Double>(layout: layout)
        case .concat(let limit, let separator): ConcatReducer(limit: limit, separator: separator)
        }
    }
}
