import JSON

// ["number-format", NUMBER, {"min-fraction-digits": N, "max-fraction-digits": N}]
// in the only format that needs no tables: 1,234.5. Locales and currencies are refused.

extension Operator {
    static let numberFormat = Operator("number-format", takes: .exactly(2)) {
        parser, call throws(ExpressionError) in
        let number = try parser.argument(0, of: call, as: .number)
        guard case .object(let options) = call.arguments[1] else {
            throw call.wrongLiteral(1, expected: "an object of options")
        }
        let path = call.path(of: 1)
        let known = ["min-fraction-digits", "max-fraction-digits"]
        for key in options.keys where !known.contains(key) {
            throw .wrongLiteral(
                expected: "only min-fraction-digits and max-fraction-digits",
                found: JSONValue.string(key).text(), at: path)
        }
        let least = try digits(options[known[0]], at: path[known[0]])
        let most = try digits(options[known[1]], at: path[known[1]])
        let format = NumberFormat(
            least: least ?? min(0, most ?? 0), most: most ?? max(3, least ?? 0))
        return TextClosure { context throws(EvaluationFault) in
            format.text(of: try number.number(in: context))
        }
    }

    private static func digits(
        _ json: JSONValue?, at path: JSONPath
    ) throws(ExpressionError) -> Int? {
        guard let json else { return nil }
        guard case .integer(let digits) = json, (0...15).contains(digits) else {
            throw .wrongLiteral(
                expected: "a whole number from 0 to 15", found: json.kindInWords, at: path)
        }
        return Int(digits)
    }
}

private struct NumberFormat: Sendable {
    let least: Int
    let most: Int

    init(least: Int, most: Int) {
        self.least = least
        self.most = max(least, most)
    }

    func text(of number: Double) -> String {
        guard number.isFinite else { return number.isNaN ? "NaN" : number < 0 ? "-∞" : "∞" }
        var (whole, fraction) = Self.decimals(of: number.magnitude, most)
        while fraction.count > least, fraction.last == "0" { fraction.removeLast() }
        let isZero = (whole + fraction).allSatisfy { $0 == "0" }
        let sign = number.sign == .minus && !isZero ? "-" : ""
        return sign + Self.grouped(whole) + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// The digits before the point and `count` digits after it, rounded half away from zero.
    private static func decimals(
        of number: Double, _ count: Int
    ) -> (whole: String, fraction: String) {
        let parts = ExpressionValue.plainText(of: number).split(separator: ".")
        var digits = Array(parts[0].utf8)
        let fraction = parts.count > 1 ? Array(parts[1].utf8) : []
        digits += (0..<count).map { $0 < fraction.count ? fraction[$0] : UInt8(ascii: "0") }
        if fraction.count > count, fraction[count] >= UInt8(ascii: "5") {
            var index = digits.count - 1
            while index >= 0, digits[index] == UInt8(ascii: "9") {
                digits[index] = UInt8(ascii: "0")
                index -= 1
            }
            if index >= 0 { digits[index] += 1 } else { digits.insert(UInt8(ascii: "1"), at: 0) }
        }
        let point = digits.count - count
        return (
            String(decoding: digits[..<point], as: UTF8.self),
            String(decoding: digits[point...], as: UTF8.self)
        )
    }

    private static func grouped(_ digits: String) -> String {
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }
}
