import Arguments
import Foundation

/// What the program runs on.
enum Machine {
    static var processorCount: Int { ProcessInfo.processInfo.activeProcessorCount }
}

/// An amount of memory as people write it: `800M`, `8G`.
struct MemorySize: ArgumentValue {
    let bytes: Int

    init(argument: String) throws(ValueError) {
        let units: [Character: Int] = ["K": 10, "M": 20, "G": 30, "T": 40]
        let last = argument.last.map { Character($0.uppercased()) } ?? " "
        let digits = units[last] == nil ? argument : String(argument.dropLast())
        guard let number = Double(digits), number > 0, number < 1e6 || units[last] == nil else {
            throw ValueError(expected: "an amount of memory, as 800M or 8G")
        }
        bytes = Int(number * Double(1 << (units[last] ?? 0)))
    }
}
