import ClusterQueries

extension Int {
    /// The number with commas between thousands.
    var grouped: String {
        var digits = String(abs(self))[...]
        var groups: [Substring] = []
        while digits.count > 3 {
            groups.insert(digits.suffix(3), at: 0)
            digits = digits.dropLast(3)
        }
        groups.insert(digits, at: 0)
        return (self < 0 ? "-" : "") + groups.joined(separator: ",")
    }

    /// The number as a size with about three figures: 999 B, 2.3 kB, 45.1 MB.
    var asBytes: String {
        var value = Double(self)
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

    /// A share of a whole in percent.
    func percent(of whole: Int) -> String {
        guard whole > 0 else { return "–" }
        let tenths = (1_000 * self + whole / 2) / whole
        return "\(tenths / 10).\(tenths % 10) %"
    }
}

extension Double {
    /// Degrees with at most seven decimals, which is a centimetre.
    var asExactDegrees: String { GeoJSON.degrees(self).text() }

    /// Degrees with at most five decimals, which is a metre.
    var asDegrees: String {
        let rounded = (self * 1e5).rounded() / 1e5
        return Int(exactly: rounded).map(String.init) ?? "\(rounded)"
    }
}
