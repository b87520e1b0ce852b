import Foundation
import PointInput
import Points
import TestSupport
import Testing

/// Labels of moments, in zones with summer time.
struct DateLabelTests {
    static func label(_ value: AttributeValue, _ unit: DateUnit, _ zone: String? = nil) -> String? {
        var labeller = DateLabeller(DateLabel(name: "x", attribute: "y", unit: unit, zone: zone))
        var records = RecordBuilder()
        let key = AttributeKey(number: 0)
        records.append(key, value)
        guard let packed = AttributeRecord(records.span).value(of: key) else { return nil }
        return labeller.label(of: packed)
    }

    @Test(arguments: [
        ("2024-02-29", DateUnit.day, "2024-02-29"), ("2024-02-29", .quarter, "2024-Q1"),
        ("2024", .year, "2024"), ("2024", .month, ""), ("2024-07", .month, "2024-07"),
        ("2024-07", .day, ""), ("2023-02-29", .day, ""), ("2024/07/01", .day, "2024-07-01"),
        ("2021-01-03T10:00", .week, "2020-W53"), ("2024-12-30", .week, "2025-W01"),
        ("2024-12-31T23:30:00Z", .year, "2025"), ("2024-12-31T23:30:00", .year, "2024"),
        ("2024-12-31 22:59:59.999Z", .year, "2024"),
        ("2024-12-31T23:30:00-05:00", .hour, "2025-01-01T05"),
        ("2024-07-01T00:30:00+0200", .hour, "2024-07-01T00"),
        ("2024-07-01T24:00", .day, "2024-07-02"),
        ("0000-01-01", .year, "0000"), ("soon", .year, ""), ("2024-07-01T", .day, ""),
        ("", .year, ""),
        ("2024-07-01x", .day, ""), ("2024-13-01", .month, ""), ("9999-12-31T23:30Z", .day, ""),
    ])
    func `texts have the label of their day in Zurich`(text: String, unit: DateUnit, label: String)
    {
        #expect(Self.label(.text(text), unit, "Europe/Zurich") ?? "" == label)
    }

    @Test(arguments: ["2020", "20200131"])
    func `numbers that all mean seconds of 1970 are told of`(number: String) throws {
        func notes(_ rows: String, _ kinds: [String: AttributeKind] = [:]) throws -> [String] {
            var options = InputOptions()
            options.labels = [
                DateLabel(name: "y", attribute: "when", unit: .year),
                DateLabel(name: "z", attribute: "when", unit: .year),
            ]
            options.kinds = kinds
            return try Reading("lon,lat,when\n\(rows)", name: "t", options: options).report.notes
        }
        #expect(
            try notes("1,2,\(number)\n2,4,\(number)\n").contains(
                "t: the numbers of when are seconds since 1970, and all within that year; years are read from texts "
                    + "(--type when:text), and days as 2024-02-29"))
        let said =
            try notes("1,2,\(number)\n2,4,1700000000\n")
            + notes("1,2,\(number)\n2,4,\(number)\n", ["when": .text])
        #expect(!said.contains { $0.contains("1970") })
    }

    @Test func `numbers are seconds, or milliseconds where seconds would be too many`() {
        #expect(Self.label(.integer(1_700_000_000), .day) == "2023-11-14")
        #expect(Self.label(.integer(1_700_000_000_123), .day) == "2023-11-14")
        #expect(Self.label(.number(-0.5), .hour) == "1969-12-31T23")
        #expect(Self.label(.bool(true), .year) == nil)
        #expect(Self.label(.number(.nan), .year) == nil)
    }

    @Test(arguments: [
        "Europe/Zurich", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata",
        "America/Santiago",
        "Pacific/Apia", "Africa/Casablanca", "UTC",
    ])
    func `hours are those of another reader of zones, summer time and all`(name: String) throws {
        let zone = try #require(TimeZone(identifier: name))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        var random = SeededRandom(seed: 5)
        for _ in 0..<2_000 {
            // Years for which all tables agree; past 2037 by the rule.
            let seconds = Int.random(
                in: 0..<(name == "Africa/Casablanca" ? 1_700_000_000 : 4_000_000_000),
                using: &random)
            let date = Date(timeIntervalSince1970: Double(seconds))
            let parts = calendar.dateComponents([.year, .month, .day, .hour], from: date)
            let expected = String(
                format: "%04d-%02d-%02dT%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0,
                parts.hour ?? 0)
            let label = Self.label(.integer(Int64(seconds)), .hour, name)
            #expect(label == expected, "\(seconds) in \(name)")
        }
    }

    @Test func `the hour before and after the clocks change`() {
        #expect(
            Self.label(.text("2024-03-31T00:59:59Z"), .hour, "Europe/Zurich") == "2024-03-31T01")
        #expect(
            Self.label(.text("2024-03-31T01:00:00Z"), .hour, "Europe/Zurich") == "2024-03-31T03")
        #expect(
            Self.label(.text("2024-10-27T00:59:59Z"), .hour, "Europe/Zurich") == "2024-10-27T02")
        #expect(
            Self.label(.text("2024-10-27T01:00:00Z"), .hour, "Europe/Zurich") == "2024-10-27T02")
        #expect(
            Self.label(.text("2090-07-01T12:00:00Z"), .hour, "Europe/Zurich") == "2090-07-01T14")
    }

    @Test func `an attribute of a label's name gives way to it, which is told`() throws {
        let csv = "lon,lat,day,day:month\n1,2,2024-02-03,mine\n1,2,2024-02-03,\n1,2,soon,mine\n"
        for pieceSize in [16, 1 << 16] {
            var options = InputOptions()
            options.pieceSize = pieceSize
            options.labels = [
                DateLabel(name: "day:month", attribute: "day", unit: .month, zone: nil)
            ]
            let (table, report) = try PointTable.read(
                bytes: Array(csv.utf8), named: "a.csv", options: options)
            let points = table.readPoints
            #expect(
                points.map { $0.attributes["day:month"] } == [
                    .text("2024-02"), .text("2024-02"), nil,
                ])
            let told = report.notes.filter {
                $0.contains("an attribute day:month of its own gives way")
            }
            #expect(told.count == 1 && told[0].contains("of 2;"), "\(report.notes)")
        }
    }

    @Test(arguments: ["", "../etc/passwd", "/etc/passwd", "Europe/Nowhere", "Europe", "tzdata.zi"])
    func `what is no zone is refused`(name: String) {
        #expect(throws: (any Error).self) { try ZoneTable.named(name) }
    }
}
