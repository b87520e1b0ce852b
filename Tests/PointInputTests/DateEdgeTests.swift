import Foundation
import Points
import TestSupport
import Testing

@testable import PointInput

/// Calendars, rules of zones and spellings of moments, against another reader and from both sides.
struct DateEdgeTests {
    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = TimeZone(secondsFromGMT: 0)!
        return calendar
    }()

    private static func moment(_ text: String) -> MomentText? {
        let bytes = Array(text.utf8)
        return MomentText(bytes.span)
    }

    @Test func `days, weekdays and weeks are those of another calendar`() {
        var random = SeededRandom(seed: 5)
        for number in 0..<1_500 {
            // From 1600 to 2800, and each day about some ends of years.
            let days =
                number < 1_200
                ? Int.random(in: -135_140..<303_000, using: &random)
                : [-719_162, 10_957, 18_262, 20_088][number % 4] + number / 4 % 40 - 20
            let date = Date(timeIntervalSince1970: 86_400 * Double(days))
            let day = CalendarDay(days: days)
            #expect(day.days == days && day.exists)
            #expect(CalendarDay(days: days + 1) != day)
            guard days > -135_140 else { continue }
            let parts = Self.calendar.dateComponents(
                [.year, .month, .day, .weekday, .weekOfYear, .yearForWeekOfYear], from: date)
            #expect([day.year, day.month, day.day] == [parts.year, parts.month, parts.day])
            #expect(CalendarDay.weekday(days: days) == ((parts.weekday ?? 0) + 5) % 7)
            let week = CalendarDay.week(days: days)
            #expect(week.week == parts.weekOfYear && week.year == parts.yearForWeekOfYear)
        }
        for (year, month, day, exists) in [
            (2024, 2, 29, true), (2023, 2, 29, false), (1900, 2, 29, false), (2000, 2, 29, true),
            (2024, 4, 31, false), (2024, 12, 31, true), (2024, 12, 32, false), (2024, 1, 0, false),
            (2024, 0, 1, false), (2024, 13, 1, false), (0, 1, 1, true),
        ] { #expect(CalendarDay(year: year, month: month, day: day).exists == exists) }
    }

    @Test(
        arguments: [
            ("2024-01-02T03:04:05", 11_045, nil), ("2024-01-02t03:04", 11_040, nil),
            ("2024-01-02 03", 10_800, nil), ("2024-01-02T23:59:60Z", 86_399, 0),
            ("2024-01-02T24:00:00Z", 86_400, 0), ("2024-01-02T00:00:00.999999Z", 0, 0),
            ("2024-01-02T00:00:00,5z", 0, 0), ("2024-01-02T00:00 UTC", 0, 0),
            ("2024-01-02T00:00:00 +01:30", 0, 5_400), ("2024-01-02T00:00-01:30", 0, -5_400),
            ("2024-01-02T00:00+14", 0, 50_400), ("2024-01-02T00:00-0059", 0, -3_540),
            ("2024-01-02T00:00+24:00", 0, 86_400), ("2024/01/02 00:00", 0, nil),
            ("2024-01-02", 0, nil),
        ] as [(String, Int, Int?)])
    func `a moment is its seconds of the day, and how far its zone is ahead`(
        text: String, seconds: Int, offset: Int?
    ) throws {
        let moment = try #require(Self.moment(text))
        #expect(moment.seconds == 1_704_153_600 + seconds && moment.offset == offset)
        #expect(moment.isFine(enough: .day) && moment.isFine(enough: .hour) == (text.count > 10))
    }

    @Test(arguments: [
        "202", "2024-", "2024-1", "2024-01-", "2024-01-2", "2024-00", "2024-13", "2024-01-00",
        "2024-01-32", "2024-01-02T", "2024-01-02T3", "2024-01-02T25", "2024-01-02T24:01",
        "2024-01-02T24:00:01", "2024-01-02T03:", "2024-01-02T03:60", "2024-01-02T03:04:61",
        "2024-01-02T03:04:5", "2024-01-02T03:04:05x", "2024-01-02T03:04+25", "2024-01-02T03:04+1",
        "2024-01-02T03:04+01:60", "2024-01-02T03:04+01:", "2024-01-02T03:04+01:000", "x2024",
        "2024x",
        "2024-01T03:04", "2024-01-02Z", "20a4", "2024-01-02X03",
    ])
    func `what is no moment is none`(text: String) {
        #expect(Self.moment(text) == nil)
    }

    @Test func `a moment is as fine as it is written`() {
        for (text, units) in [
            ("2024", [.year]), ("2024-01", [.year, .quarter, .month]),
            ("2024-01-02", [.year, .quarter, .month, .week, .day]),
            ("2024-01-02T03", [.year, .quarter, .month, .week, .day, .hour]),
        ] as [(String, [DateUnit])] {
            for unit in [.year, .quarter, .month, .week, .day, .hour] as [DateUnit] {
                #expect(
                    Self.moment(text)?.isFine(enough: unit)
                        == units.contains(unit), "\(text) \(unit)")
            }
        }
    }

    /// Moments of 2024, which is a leap year, and of 2023, at which an offset begins.
    @Test(arguments: [
        (
            "CET-1CEST,M3.5.0,M10.5.0/3",
            ["2024-03-31T01:00:00Z": 7_200, "2024-10-27T01:00:00Z": 3_600]
        ),
        (
            "EST5EDT,M3.2.0,M11.1.0",
            ["2024-03-10T07:00:00Z": -14_400, "2024-11-03T06:00:00Z": -18_000]
        ),
        // Julian days do not count 29 February, the others do, from 0 on.
        ("A0B,J59/0,J60/0", ["2024-02-28T00:00:00Z": 3_600, "2024-02-29T23:00:00Z": 0]),
        ("A0B,J59/0,J60/0", ["2023-02-28T00:00:00Z": 3_600, "2023-02-28T23:00:00Z": 0]),
        ("A0B,58/0,60/0", ["2024-02-28T00:00:00Z": 3_600, "2024-02-29T23:00:00Z": 0]),
        ("A0B,0/1,J365/-1", ["2024-01-01T01:00:00Z": 3_600, "2024-12-30T22:00:00Z": 0]),
        // Half hours, names in brackets, times past a day and before it, the southern summer.
        (
            "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0",
            ["2024-10-05T15:30:00Z": 39_600, "2024-04-06T15:00:00Z": 37_800]
        ),
        (
            "<-02>2<-01>,M3.5.0/-1,M10.5.0/0",
            ["2024-03-31T01:00:00Z": -3_600, "2024-10-27T01:00:00Z": -7_200]
        ),
        (
            "A-0:00:30B+0:30,M1.1.1/24:00:30,M2.1.1",
            ["2024-01-02T00:00:00Z": -1_800, "2024-02-05T02:30:00Z": 30]
        ),
    ])
    func `a rule begins where it says, by the clock that holds until then`(
        text: String, starts: [String: Int]
    ) throws {
        let rule = try #require(ZoneRule(text))
        for (moment, offset) in starts {
            let date = try #require(ISO8601DateFormatter().date(from: moment))
            let seconds = Int(date.timeIntervalSince1970)
            let after = try #require(rule.stretch(at: seconds))
            #expect(after.range.lowerBound == seconds && after.offset == offset, "\(moment)")
            let before = try #require(rule.stretch(at: seconds - 1))
            #expect(before.range.upperBound == seconds && before.offset != offset)
        }
    }

    @Test func `a rule without summer holds for ever`() throws {
        for (text, offset) in [
            ("IST-5:30", 19_800), ("<-03>3", -10_800), ("UTC0", 0), ("A+1:00:01", -3_601),
        ] {
            let stretch = try #require(ZoneRule(text)?.stretch(at: 0))
            #expect(stretch.range == Int.min..<Int.max && stretch.offset == offset)
        }
    }

    @Test(arguments: [
        "", "CET", "-1", "<CET-1", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M3.5.0,M10.5.0x",
        "CET-1CEST,M0.5.0,M10.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.0.0,M10.5.0",
        "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,M3.5,M10.5.0",
        "CET-1CEST,J0,J9", "CET-1CEST,J366,J9", "CET-1CEST,366,9", "CET-1CEST,M3.5.0/,M10.5.0",
        "CET-1:CEST,M3.5.0,M10.5.0", "CET-1CEST.1,M3.5.0,M10.5.0", "CET-1000",
        "CET-1,M3.5.0,M10.5.0",
    ])
    func `what is no rule is none`(text: String) { #expect(ZoneRule(text) == nil) }
}
