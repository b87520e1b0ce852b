/// Numbers as text for people.
enum Quantity {
    /// A count with its unit: `12.3 MB`, `1,234 tiles`, `1 tile`.
    static func text(_ count: Int, _ unit: String) -> String {
        if unit == "bytes" { return count.asBytes }
        let one = count == 1 && unit.hasSuffix("s") ? String(unit.dropLast()) : unit
        return "\(count.grouped) \(one)"
    }

    /// A count of a total: `3 of 12 zooms`.
    static func text(_ done: Int, of total: Int?, _ unit: String) -> String {
        guard let total else { return text(done, unit) }
        return unit == "bytes"
            ? "\(done.asBytes) of \(total.asBytes)" : "\(done.grouped) of \(text(total, unit))"
    }

    /// Seconds, rounded to hundredths.
    static func seconds(_ seconds: Double) -> String {
        let hundredths = Int((seconds * 100).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) s"
    }
}
