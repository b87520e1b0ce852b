import Points

/// A moment in ISO 8601: 2024, 2024-02, 2024-02-29, 2024-02-29T12:00:00.25+01:00; a space may
/// replace the T, and slashes the dashes.
struct MomentText {
    /// The seconds since 1970 as if in UTC, without fraction.
    private(set) var seconds = 0
    /// The offset of its zone from UTC; nil if it has none, or no time of day.
    private(set) var offset: Int?
    /// The number of its parts: year, month, day, hour.
    private var parts = 1

    func isFine(enough unit: DateUnit) -> Bool {
        switch unit {
        case .year: true
        case .quarter, .month: parts >= 2
        case .week, .day: parts >= 3
        case .hour: parts >= 4
        }
    }

    init?(_ text: Span<UInt8>) {
        var reader = DigitReader(text: text)
        guard let year = reader.number(4) else { return nil }
        var day = CalendarDay(year: year, month: 1, day: 1)
        if reader.skip("-") || reader.skip("/") {
            guard let month = reader.number(2), (1...12).contains(month) else { return nil }
            day.month = month
            parts = 2
            if reader.skip("-") || reader.skip("/") {
                guard let number = reader.number(2) else { return nil }
                day.day = number
                parts = 3
            }
        }
        guard day.exists else { return nil }
        seconds = 86_400 * day.days
        if parts == 3, reader.skip("T") || reader.skip("t") || reader.skip(" ") {
            guard readTime(&reader) else { return nil }
        }
        guard reader.isAtEnd else { return nil }
    }

    private mutating func readTime(_ reader: inout DigitReader) -> Bool {
        guard let hour = reader.number(2), hour <= 24 else { return false }
        var time = 3_600 * hour
        if reader.skip(":") {
            guard let minute = reader.number(2), minute < 60 else { return false }
            time += 60 * minute
            if reader.skip(":") {
                // A leap second counts as the last second of its minute.
                guard let second = reader.number(2), second <= 60 else { return false }
                time += min(second, 59)
                if reader.skip(".") || reader.skip(",") { reader.skipDigits() }
            }
        }
        guard time <= 86_400 else { return false }
        seconds += time
        parts = 4
        return readZone(&reader)
    }

    private mutating func readZone(_ reader: inout DigitReader) -> Bool {
        _ = reader.skip(" ")
        if reader.isAtEnd { return true }
        if reader.skip("Z") || reader.skip("z") || reader.skip("UTC") {
            offset = 0
            return true
        }
        let isWest = reader.skip("-")
        guard isWest || reader.skip("+"), let hour = reader.number(2), hour <= 24 else {
            return false
        }
        let hasMinutes = reader.skip(":") || !reader.isAtEnd
        let minute = hasMinutes ? reader.number(2) : 0
        guard let minute, minute < 60 else { return false }
        offset = (isWest ? -60 : 60) * (60 * hour + minute)
        return true
    }
}

/// Reads digits one after another.
private struct DigitReader: ~Escapable {
    private let text: Span<UInt8>
    private var next = 0

    @_lifetime(copy text)
    init(text: Span<UInt8>) { self.text = text }

    var isAtEnd: Bool { next == text.count }

    mutating func number(_ count: Int) -> Int? {
        guard text.count - next >= count else { return nil }
        var number = 0
        for _ in 0..<count {
            let digit = text[next]
            guard (0x30...0x39).contains(digit) else { return nil }
            number = 10 * number + Int(digit - 0x30)
            next += 1
        }
        return number
    }

    mutating func skip(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard text.count - next >= count else { return false }
        for index in 0..<count where unsafe text[next + index] != word.utf8Start[index] {
            return false
        }
        next += count
        return true
    }

    mutating func skipDigits() {
        while next < text.count, (0x30...0x39).contains(text[next]) { next += 1 }
    }
}
