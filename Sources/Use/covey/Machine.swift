import Arguments
import Platform

extension ParsedArguments {
    /// The value of `--threads`, or one thread for each processor.
    var threadCount: Int { self[BuildVerb.threads]?.number ?? Process.processorCount }
}

/// The number of threads: one at least.
struct ThreadCount: ArgumentValue {
    let number: Int

    init(argument: String) throws(ValueError) {
        guard let number = Int(argument), (1...1_024).contains(number) else {
            throw ValueError(expected: "a number from 1 to 1024")
        }
        self.number = number
    }
}

/// An amount of memory: `800M`, `8G`.
struct MemorySize: ArgumentValue {
    let bytes: Int

    init(argument: String) throws(ValueError) {
        let letters = "KMGT"
        let unit = letters.firstIndex { "\($0)" == argument.suffix(1).uppercased() }
        let digits = unit == nil ? argument : String(argument.dropLast())
        let shift = unit.map { 10 * (letters.distance(from: letters.startIndex, to: $0) + 1) } ?? 0
        guard let number = Double(digits), number > 0,
            let bytes = Int(exactly: (number * Double(1 << shift)).rounded(.down))
        else {
            throw ValueError(expected: "an amount of memory, as 800M or 8G")
        }
        self.bytes = bytes
    }
}
