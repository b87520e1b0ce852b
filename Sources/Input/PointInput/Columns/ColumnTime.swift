/// Days and moments of columnar files in ISO 8601.
enum ColumnTime {
    private static let secondsInDay: Int64 = 86_400

    /// - Parameter days: the days since 1970-01-01, in the Gregorian calendar.
    static func date(days: Int64) -> String { CalendarDay(days: Int(days)).text }

    /// The day of a moment in milliseconds since 1970.
    static func date(milliseconds: Int64) -> String {
        date(days: milliseconds.floored(by: 1_000 * secondsInDay))
    }

    /// A moment, with as many digits of the second as needed.
    /// - Parameter count: the time since 1970 in units of which `perSecond` make a second.
    static func moment(_ count: Int64, perSecond: Int64, isUTC: Bool) -> String {
        let (seconds, fraction) = count.split(by: perSecond)
        let (days, second) = seconds.split(by: secondsInDay)
        let time = [second / 3_600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }
        var text = "\(date(days: days))T\(time[0]):\(time[1]):\(time[2])"
        if fraction > 0 {
            var places = fraction.padded(to: "\(perSecond)".utf8.count - 1)
            while places.hasSuffix("0") { places.removeLast() }
            text += ".\(places)"
        }
        return isUTC ? text + "Z" : text
    }
}
