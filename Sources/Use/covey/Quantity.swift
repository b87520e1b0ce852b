/// Numbers as text for people.
enum Quantity {
    /// A count with its unit: `12.3 MB`, `1,234 tiles`, `1 tile`.
    static func text(_ count: Int, _ unit: String) -> String {
        if unit == "bytes" { return bytes(count) }
        let one = count == 1 && unit.hasSuffix("s") ? String(unit.dropLast()) : unit
        return "\(grouped(count)) \(one)"
    }

    /// A count of a total: `3 of 12 zooms`.
    static func text(_ done: Int, of total: Int?, _ unit: String) -> String {
        guard let total else { return text(done, unit) }
        return unit == "bytes"
            ? "\(bytes(done)) of \(bytes(total))" : "\(grouped(done)) of \(text(total, unit))"
    }

    /// A size in decimal units with about three figures.
    static func bytes(_ count: Int) -> String {
        var value = Double(count)
        var unit = 0
        let units = ["B", "kB", "MB", "GB", "TB"]
        while value >= 999.5, unit < units.count - 1 {
            value /= 1_000
            unit += 1
        }
        return unit == 0 || value >= 99.95
            ? "\(Int(value.rounded())) \(units[unit])"
            : "\((value * 10).rounded() / 10) \(units[unit])"
    }

    /// A count with commas between thousands.
    static func grouped(_ count: Int) -> String {
        var digits = String(abs(count))[...]
        var groups: [Substring] = []
        while digits.count > 3 {
            groups.insert(digits.suffix(3), at: 0)
            digits = digits.dropLast(3)
        }
        groups.insert(digits, at: 0)
        return (count < 0 ? "-" : "") + groups.joined(separator: ",")
    }

    /// Seconds, rounded to hundredths.
    static func seconds(_ seconds: Double) -> String {
        let hundredths = Int((seconds * 100).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) s"
    }
}
