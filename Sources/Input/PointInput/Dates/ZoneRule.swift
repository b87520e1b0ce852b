/// A zone's rule after the last change in its file: `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX).
struct ZoneRule: Sendable {
    private var standard = 0
    private var summer: (offset: Int, from: Change, to: Change)?

    /// A moment in each year, in the local time before the change.
    private struct Change: Sendable {
        enum Day: Sendable {
            /// 1 to 365, without leap days.
            case ofCommonYear(Int)
            /// 0 to 365, with leap days.
            case ofYear(Int)
            /// A month, a week (5 is the last), and its weekday, from Sunday on.
            case ofMonth(Int, Int, Int)
        }
        var day: Day
        var time = 7_200

        func seconds(in year: Int) -> Int {
            let first = CalendarDay(year: year, month: 1, day: 1).days
            switch day {
            case .ofYear(let number): return 86_400 * (first + number) + time
            case .ofCommonYear(let number):
                let isLeap = CalendarDay(year: year, month: 2, day: 29).exists
                return 86_400 * (first + number - (isLeap && number >= 60 ? 0 : 1)) + time
            case .ofMonth(let month, let week, let weekday):
                let first = CalendarDay(year: year, month: month, day: 1).days
                let ahead = (weekday + 6 - CalendarDay.weekday(days: first)) % 7
                var days = first + ahead + 7 * (week - 1)
                while CalendarDay(days: days).month != month { days -= 7 }
                return 86_400 * days + time
            }
        }
    }

    init?(_ text: String) {
        var rest = Substring(text)
        guard Self.skipName(&rest), let west = Self.time(&rest) else { return nil }
        standard = -west
        guard !rest.isEmpty else { return }
        guard Self.skipName(&rest) else { return nil }
        var offset = standard + 3_600
        if rest.first != "," {
            guard let west = Self.time(&rest) else { return nil }
            offset = -west
        }
        guard let from = Self.change(&rest), let to = Self.change(&rest), rest.isEmpty else {
            return nil
        }
        summer = (offset, from, to)
    }

    /// The period around a moment with the same offset; nil in the rare year without one.
    func stretch(at seconds: Int) -> (range: Range<Int>, offset: Int)? {
        guard let summer else { return (Int.min..<Int.max, standard) }
        let year = CalendarDay(days: (seconds + standard).floored(by: 86_400)).year
        var changes: [(at: Int, offset: Int)] = []
        for year in year - 1...year + 1 {
            changes.append((summer.from.seconds(in: year) - standard, summer.offset))
            changes.append((summer.to.seconds(in: year) - summer.offset, standard))
        }
        changes.sort { $0.at < $1.at }
        guard let next = changes.firstIndex(where: { $0.at > seconds }), next > 0 else {
            return nil
        }
        return (changes[next - 1].at..<changes[next].at, changes[next - 1].offset)
    }

    private static func skipName(_ text: inout Substring) -> Bool {
        let before = text
        if text.first == "<" {
            guard let end = text.firstIndex(of: ">") else { return false }
            text = text[text.index(after: end)...]
        } else {
            text = text.drop { $0.isLetter }
        }
        return text.startIndex > before.startIndex
    }

    /// Hours, minutes and seconds.
    private static func time(_ text: inout Substring) -> Int? {
        let isNegative = text.first == "-"
        if isNegative || text.first == "+" { text.removeFirst() }
        guard var seconds = number(&text).map({ 3_600 * $0 }) else { return nil }
        for unit in [60, 1] where text.first == ":" {
            text.removeFirst()
            guard let more = number(&text) else { return nil }
            seconds += unit * more
        }
        return isNegative ? -seconds : seconds
    }

    private static func number(_ text: inout Substring) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        text = text[digits.endIndex...]
        return digits.count < 4 ? Int(digits) : nil
    }

    private static func change(_ text: inout Substring) -> Change? {
        guard text.first == "," else { return nil }
        text.removeFirst()
        guard let day = day(&text) else { return nil }
        var change = Change(day: day)
        if text.first == "/" {
            text.removeFirst()
            guard let time = time(&text) else { return nil }
            change.time = time
        }
        return change
    }

    private static func day(_ text: inout Substring) -> Change.Day? {
        let letter = text.first
        if letter == "M" || letter == "J" { text.removeFirst() }
        guard let first = number(&text) else { return nil }
        guard letter == "M" else {
            guard ((letter == "J" ? 1 : 0)...365).contains(first) else { return nil }
            return letter == "J" ? .ofCommonYear(first) : .ofYear(first)
        }
        var numbers = [first]
        while numbers.count < 3, text.first == "." {
            text.removeFirst()
            guard let next = number(&text) else { return nil }
            numbers.append(next)
        }
        guard numbers.count == 3, (1...12).contains(first), (1...5).contains(numbers[1]),
            (0...6).contains(numbers[2])
        else { return nil }
        return .ofMonth(first, numbers[1], numbers[2])
    }
}
