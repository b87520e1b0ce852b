import Foundation

extension Figure {
    func printAsText() {
        let number = String(format: abs(value) >= 100 ? "%.0f" : "%.3g", value)
        let goal = wanted.map { "   (wanted: \($0))" } ?? ""
        print("\(benchmark)  \(name): \(number) \(unit)\(goal)")
    }

    /// Prints one JSON object a line, so that a stopped run keeps its measurements.
    func printAsJSON() {
        var fields: [String: Any] = [
            "benchmark": benchmark, "name": name, "value": value, "unit": unit,
        ]
        fields["wanted"] = wanted
        guard
            let data = try? JSONSerialization.data(
                withJSONObject: fields, options: [.sortedKeys, .withoutEscapingSlashes])
        else { return }
        print(String(decoding: data, as: UTF8.self))
    }
}
