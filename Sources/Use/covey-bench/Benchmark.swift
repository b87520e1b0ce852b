/// A group of measurements that can be run by name: one file, and one line in `main.swift`.
protocol Benchmark {
    /// The word to type after `scripts/bench`.
    static var name: String { get }
    /// A line about what is measured.
    static var summary: String { get }

    static func run(_ session: inout BenchSession) throws
}

/// One measured number.
struct Figure {
    var benchmark: String
    var name: String
    var value: Double
    var unit: String
    /// The target of the number in words, if there is one: `≥ 3 M/s`.
    var wanted: String?
}
