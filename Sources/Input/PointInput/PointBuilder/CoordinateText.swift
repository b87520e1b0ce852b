/// A coordinate as written by people: `52.52`, `52,52`, `52°31'12"N`, `N 52 31.2`, `52:31:12`.
enum CoordinateText {
    /// The coordinate as a number; nil if the text is not one, or one of the other axis.
    static func value(_ text: String, isLongitude: Bool) -> Double? {
        if let number = NumberText.looseDouble(text) ?? decimalComma(text) { return number }
        return degrees(text, isLongitude: isLongitude)
    }

    /// A number with a decimal comma.
    static func decimalComma(_ text: String) -> Double? {
        guard let comma = text.utf8.firstIndex(of: UInt8(ascii: ",")),
            !text.utf8.contains(UInt8(ascii: "."))
        else { return nil }
        return NumberText.looseDouble("\(text[..<comma]).\(text[text.utf8.index(after: comma)...])")
    }

    /// The position in a text such as `48.85, 2.35`, which has the latitude first.
    static func latitudeFirst(_ text: String) -> (x: Double, y: Double)? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, let y = NumberText.looseDouble(String(parts[0])),
            let x = NumberText.looseDouble(String(parts[1]))
        else { return nil }
        return (x, y)
    }

    /// Degrees with optional minutes and seconds, if a sign or a letter marks the text as an angle.
    private static func degrees(_ text: String, isLongitude: Bool) -> Double? {
        var angle = AngleText()
        for character in text { guard angle.take(character) else { return nil } }
        return angle.value(isLongitude: isLongitude)
    }

    /// The middle of a geohash's cell; nil for other texts.
    static func geohash(_ text: String) -> (x: Double, y: Double)? {
        let digits = Array("0123456789bcdefghjkmnpqrstuvwxyz".utf8)
        var (x, y) = ((-180.0, 180.0), (-90.0, 90.0))
        var isX = true
        guard (1...24).contains(text.utf8.count) else { return nil }
        for byte in text.lowercased().utf8 {
            guard let digit = digits.firstIndex(of: byte) else { return nil }
            for bit in [16, 8, 4, 2, 1] {
                let isUpper = digit & bit != 0
                if isX { x = half(x, isUpper) } else { y = half(y, isUpper) }
                isX.toggle()
            }
        }
        return ((x.0 + x.1) / 2, (y.0 + y.1) / 2)
    }

    private static func half(_ range: (Double, Double), _ isUpper: Bool) -> (Double, Double) {
        let middle = (range.0 + range.1) / 2
        return isUpper ? (middle, range.1) : (range.0, middle)
    }
}

/// The state of an angle while its text is read.
private struct AngleText {
    /// Degrees, minutes, seconds.
    private var parts: [Double] = []
    private var number = ""
    private var isNegative = false
    private var direction: Character?
    /// Whether a sign or a letter marks it as an angle, and whether nothing more may follow.
    private var isMarked = false
    private var isOver = false
    private var previous: Character = " "

    /// Reads the next character; false if it is not part of an angle.
    mutating func take(_ character: Character) -> Bool {
        defer { previous = character }
        switch character {
        case "0"..."9", ".", ",":
            number.append(character)
            return !isOver
        case "-" where parts.isEmpty && number.isEmpty && !isNegative: isNegative = true
        case "+" where parts.isEmpty && number.isEmpty: break
        case " ", "\u{A0}": return endNumber()
        case ":": return endNumber() && mark(parts.count)
        case "°", "º", "˚", "d": return !number.isEmpty && endNumber() && mark(1)
        // Two signs of minutes mean seconds.
        case "'" where previous == "'", "’" where previous == "’", "′" where previous == "′": break
        case "'", "′", "’", "´", "\"", "″", "”": return endNumber() && parts.count > 1
        // Lower-case letters are not directions: `1e` is a number that was cut off.
        case "N", "S", "E", "W":
            guard direction == nil, endNumber() else { return false }
            (direction, isMarked, isOver) = (character, true, !parts.isEmpty)
        default: return false
        }
        return true
    }

    private mutating func mark(_ count: Int) -> Bool {
        isMarked = true
        return parts.count == count
    }

    private mutating func endNumber() -> Bool {
        guard !number.isEmpty else { return true }
        // Only the last part may have a fraction; `10°.5` may mean two things.
        guard parts.isEmpty || number.first != ".",
            let value = NumberText.looseDouble(number) ?? CoordinateText.decimalComma(number),
            value >= 0, parts.last.map({ $0 == $0.rounded() }) ?? true
        else { return false }
        parts.append(value)
        number = ""
        return true
    }

    mutating func value(isLongitude: Bool) -> Double? {
        guard endNumber(), isMarked, (1...3).contains(parts.count),
            parts.dropFirst().allSatisfy({ $0 < 60 })
        else { return nil }
        if let direction {
            guard !isNegative, (isLongitude ? "EW" : "NS").contains(direction) else { return nil }
            isNegative = "SW".contains(direction)
        }
        let value = parts.reversed().reduce(0) { $0 / 60 + $1 }
        return isNegative ? -value : value
    }
}
