extension Int {
    /// The number with commas between thousands.
    var grouped: String {
        var digits = Array(String(magnitude))
        var place = digits.count - 3
        while place > 0 {
            digits.insert(",", at: place)
            place -= 3
        }
        return (self < 0 ? "-" : "") + String(digits)
    }

    /// A number of bytes in at most three figures: 999 B, 2.3 kB, 45 kB, 1.2 MB.
    var asBytes: String {
        let units = ["kB", "MB", "GB", "TB"]
        guard self >= 1_000 else { return "\(self) B" }
        var value = Double(self) / 1_000
        var unit = 0
        while value >= 999.5, unit < units.count - 1 {
            value /= 1_000
            unit += 1
        }
        return "\(value.inThreeFigures) \(units[unit])"
    }

    /// A share of a whole in percent.
    func percent(of whole: Int) -> String {
        guard whole > 0 else { return "–" }
        let tenths = (1_000 * self + whole / 2) / whole
        return "\(tenths / 10).\(tenths % 10) %"
    }
}

extension Double {
    fileprivate var inThreeFigures: String {
        guard self < 9.95 else { return String(Int(rounded())) }
        let tenths = Int((self * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// Degrees with at most five digits behind the point, a metre.
    var asDegrees: String {
        let rounded = (self * 1e5).rounded() / 1e5
        return Int(exactly: rounded).map(String.init) ?? "\(rounded)"
    }
}
