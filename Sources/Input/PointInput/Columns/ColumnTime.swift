/// Days and moments of columnar files, as ISO 8601 spells them.
enum ColumnTime {
    private static let secondsInDay: Int64 = 86_400

    /// - Parameter days: since 1970-01-01, in the Gregorian calendar.
    static func date(days: Int64) -> String {
        let day = CalendarDay(days: Int(days))
        let sign = day.year < 0 ? "-" : ""
        return
            "\(sign)\(digits(Int64(day.year.magnitude), 4))-\(digits(Int64(day.month), 2))-\(digits(Int64(day.day), 2))"
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
