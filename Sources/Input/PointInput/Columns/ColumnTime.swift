/// Days and moments of columnar files, as ISO 8601 spells them.
enum ColumnTime {
    private static let secondsInDay: Int64 = 86_400

    /// - Parameter days: since 1970-01-01, in the Gregorian calendar.
    static func date(days: Int64) -> String {
        // Years are counted from a 1 March, so that a leap day is the last of its year.
        let shifted = days + 719_468
        let era = shifted.floored(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let sign = year < 0 ? "-" : ""
        return "\(sign)\(digits(Int64(year.magnitude), 4))-\(digits(month, 2))-\(digits(day, 2))"
    }

    /// The day of a moment in milliseconds since 1970.
    static func date(milliseconds: Int64) -> String {
        date(days: milliseconds.floored(by: 1_000 * secondsInDay))
    }

    /// A moment, with as much of a second as it has.
    /// - Parameter count: since 1970, `perSecond` to a second.
    static func moment(_ count: Int64, perSecond: Int64, isUTC: Bool) -> String {
        let seconds = count.floored(by: perSecond)
        let fraction = count - seconds * perSecond
        let days = seconds.floored(by: secondsInDay)
        let second = seconds - days * secondsInDay
        let time = [second / 3_600, second / 60 % 60, second % 60].map { digits($0, 2) }
        var text = "\(date(days: days))T\(time[0]):\(time[1]):\(time[2])"
        if fraction > 0 {
            var places = digits(fraction, "\(perSecond)".utf8.count - 1)
            while places.hasSuffix("0") { places.removeLast() }
            text += ".\(places)"
        }
        return isUTC ? text + "Z" : text
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}

extension Int64 {
    /// The quotient, rounded down.
    fileprivate func floored(by divisor: Int64) -> Int64 {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }
}
