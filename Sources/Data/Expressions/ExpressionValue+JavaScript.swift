import JSON

// The specification's values are JavaScript's: these are its conversions and comparisons.

extension ExpressionValue {
    var type: ExpressionType {
        switch self {
        case .null: .null
        case .bool: .boolean
        case .integer, .unsigned, .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    /// The result of `cast`; throws if the value has another type than the asserted one.
    @inline(__always)
    func asserted<Result>(
        _ type: ExpressionType, _ cast: (ExpressionValue) -> Result?
    ) throws(EvaluationFault) -> Result {
        guard let result = cast(self) else { throw .wrongType(expected: type, found: self.type) }
        return result
    }

    var asBool: Bool? { if case .bool(let bool) = self { bool } else { nil } }

    /// Strict equality: no conversions; arrays and objects equal nothing.
    func isIdentical(to other: ExpressionValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        default: asNumber.map { $0 == other.asNumber } ?? false
        }
    }

    /// False for null, false, 0, NaN and the empty text.
    var isTruthy: Bool {
        switch self {
        case .null: false
        case .bool(let bool): bool
        case .integer(let integer): integer != 0
        case .unsigned(let integer): integer != 0
        case .number(let number): !(number == 0 || number.isNaN)
        case .string(let string): !string.isEmpty
        case .array, .object: true
        }
    }

    /// The result of `to-string`.
    var asText: String {
        switch self {
        case .null: ""
        case .string(let string): string
        case .number(let number): Self.text(of: number)
        case .bool(let bool): bool ? "true" : "false"
        case .integer(let integer): integer.description
        case .unsigned(let integer): integer.description
        case .array, .object: text()
        }
    }

    /// The result of `to-number`.
    var convertedToNumber: Double? {
        switch self {
        case .null: 0
        case .bool(let bool): bool ? 1 : 0
        case .integer, .unsigned, .number: asNumber.flatMap { $0.isNaN ? nil : $0 }
        case .string(let string): Self.number(in: string)
        case .array, .object: nil
        }
    }

    /// The number in a text (ECMA-262, StringToNumber); a blank text gives 0.
    private static func number(in text: String) -> Double? {
        let trimmed = text.unicodeScalars.trimmingSpace()
        let lowercase = String(trimmed).lowercased()
        switch lowercase {
        case "": return 0
        case "infinity", "+infinity", "-infinity":
            guard String(trimmed).hasSuffix("Infinity") else { return nil }
            return lowercase.hasPrefix("-") ? -.infinity : .infinity
        default: break
        }
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where lowercase.hasPrefix(prefix)
        {
            return UInt64(lowercase.dropFirst(2), radix: radix).map { Double($0) }
        }
        guard lowercase.utf8.allSatisfy({ "0123456789+-.e".utf8.contains($0) }) else { return nil }
        return Double(lowercase)
    }

    /// A number as JavaScript writes it: plain digits between 1e-6 and 1e21.
    static func text(of number: Double) -> String {
        guard number.isFinite else {
            return number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity"
        }
        let sign = number < 0 ? "-" : ""
        let magnitude = number.magnitude
        guard magnitude != 0, magnitude < 1e-6 || magnitude >= 1e21 else {
            return sign + plainText(of: magnitude)
        }
        var (digits, exponent) = shortestDigits(of: magnitude)
        if digits.count > 1 { digits.insert(".", at: digits.index(after: digits.startIndex)) }
        return sign + digits + "e" + (exponent < 0 ? "-" : "+") + "\(exponent.magnitude)"
    }

    /// A nonnegative finite number without an exponent.
    static func plainText(of number: Double) -> String {
        if number == 0 { return "0" }
        var (digits, exponent) = shortestDigits(of: number)
        if exponent < 0 { return "0." + String(repeating: "0", count: -exponent - 1) + digits }
        if digits.count <= exponent + 1 {
            return digits + String(repeating: "0", count: exponent + 1 - digits.count)
        }
        digits.insert(".", at: digits.index(digits.startIndex, offsetBy: exponent + 1))
        return digits
    }

    /// The fewest significant digits that read back as the number, and the power of ten of the first.
    private static func shortestDigits(of number: Double) -> (digits: String, exponent: Int) {
        let parts = number.description.split(separator: "e")
        let mantissa = parts[0].split(separator: ".")
        let fraction = mantissa.count > 1 ? mantissa[1] : ""
        var exponent = mantissa[0].count - 1 + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
        var digits = String(mantissa[0] + fraction)
        while digits.hasPrefix("0") {
            digits.removeFirst()
            exponent -= 1
        }
        while digits.hasSuffix("0") { digits.removeLast() }
        return (digits, exponent)
    }
}

extension String.UnicodeScalarView {
    fileprivate func trimmingSpace() -> Substring.UnicodeScalarView {
        var trimmed = self[...]
        while trimmed.first?.properties.isWhitespace == true { trimmed.removeFirst() }
        while trimmed.last?.properties.isWhitespace == true { trimmed.removeLast() }
        return trimmed
    }
}
