/// A day of the Gregorian calendar.
struct CalendarDay: Equatable, Sendable {
    var year: Int
    var month: Int
    var day: Int
}

extension CalendarDay {
    /// - Parameter days: the days since 1970-01-01.
    init(days: Int) {
        // Years begin on 1 March here, so that a leap day is the last of its year.
        let shifted = days + 719_468
        let era = shifted.floored(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The days since 1970-01-01.
    var days: Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted.floored(by: 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }

    /// The day in ISO 8601.
    var text: String {
        let sign = year < 0 ? "-" : ""
        return "\(sign)\(abs(year).padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
    }

    /// Whether the day exists.
    var exists: Bool {
        (1...12).contains(month) && (1...31).contains(day) && CalendarDay(days: days) == self
    }

    /// The weekday; Monday is 0.
    static func weekday(days: Int) -> Int { days + 3 - (days + 3).floored(by: 7) * 7 }

    /// The ISO 8601 week, and its year: that of its Thursday.
    static func week(days: Int) -> (year: Int, week: Int) {
        let thursday = days - weekday(days: days) + 3
        let year = CalendarDay(days: thursday).year
        return (year, (thursday - CalendarDay(year: year, month: 1, day: 1).days) / 7 + 1)
    }
}

extension SignedInteger {
    /// The quotient, rounded down, and what remains, which is never negative.
    func split(by divisor: Self) -> (quotient: Self, rest: Self) {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }

    /// The quotient, rounded down.
    func floored(by divisor: Self) -> Self { split(by: divisor).quotient }

    /// The number with at least `count` digits.
    func padded(to count: Int) -> String {
        let text = "\(self)"
        return String(repeating: "0", count: Swift.max(0, count - text.utf8.count)) + text
    }
}
