/// A group of measurements that can be run by name: one file, and one line in `main.swift`.
protocol Benchmark {
    /// What to type after `scripts/bench`.
    static var name: String { get }
    /// What is measured, in one line.
    static var summary: String { get }

    static func run(_ session: inout BenchSession) throws
}

/// One measured number.
struct Figure {
    var benchmark: String
    var name: String
    var value: Double
    var unit: String
    /// What the number should be, in words, where one was asked for: `≥ 3 M/s`.
    var wanted: String?
}
