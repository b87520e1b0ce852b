import Foundation
import JSON

extension Figure {
    func printAsText() {
        let number = String(format: abs(value) >= 100 ? "%.0f" : "%.3g", value)
        let goal = wanted.map { "   (wanted: \($0))" } ?? ""
        print("\(benchmark)  \(name): \(number) \(unit)\(goal)")
    }

    /// Prints one JSON object a line, so that a stopped run keeps its measurements.
    func printAsJSON() {
        var fields: JSONObject = [
            "benchmark": .string(benchmark), "name": .string(name), "unit": .string(unit),
            "value": .number(value),
        ]
        fields["wanted"] = wanted.map(JSONValue.string)
        print(JSONValue.object(fields).text())
    }
}
