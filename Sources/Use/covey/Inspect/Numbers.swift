import JSON

extension Int {
    /// The number with commas between thousands.
    var grouped: String { Quantity.grouped(self) }

    /// The number as a size: 999 B, 2.3 kB, 45.1 MB.
    var asBytes: String { Quantity.bytes(self) }

    /// A share of a whole in percent.
    func percent(of whole: Int) -> String {
        guard whole > 0 else { return "–" }
        let tenths = (1_000 * self + whole / 2) / whole
        return "\(tenths / 10).\(tenths % 10) %"
    }
}

extension Double {
    /// Degrees with at most seven decimals, which is a centimetre.
    var asExactDegrees: String { roundedJSON.text() }

    /// The number rounded to 10^-7, as JSON.
    var roundedJSON: JSONValue { JSONValue(canonical: (self * 1e7).rounded() / 1e7) }

    /// Degrees with at most five decimals, which is a metre.
    var asDegrees: String {
        let rounded = (self * 1e5).rounded() / 1e5
        return Int(exactly: rounded).map(String.init) ?? "\(rounded)"
    }
}
