import Foundation
import Points
import Testing

@testable import PointInput

/// Values that are packed as they lie in their columns, and those that get a closer look.
struct ColumnLaneTests {
    typealias Column = ArrowBytes.Column

    private func reading(_ columns: [Column], rows: Int) throws -> Reading {
        let places: [Column] = [
            .doubles("lon", (0..<rows).map { Double($0) / 100 }),
            .doubles("lat", (0..<rows).map { Double($0) / 200 }),
        ]
        var options = InputOptions()
        options.tolerance = .all
        return try Reading(
            Data(ArrowBytes.stream(places + columns, rows: rows)), options: options)
    }

    /// Texts of any language, empty ones and ones that are longer than the room of a row.
    @Test func `texts are read whole, whatever their length`() throws {
        let texts: [String?] = [
            "Inn", "", nil, "Ünïcödé", "東京", String(repeating: "ß", count: 5_000), "x", "",
        ]
        let reading = try reading([.texts("name", texts)], rows: texts.count)
        #expect(reading.table.count == texts.count)
        for (row, text) in texts.enumerated() {
            #expect(reading.attributes(row)["name"] == text.map(AttributeValue.text))
        }
    }

    /// Together they are valid, and each of the two is not.
    @Test func `a character whose bytes are in two rows is refused`() throws {
        let halves: [[UInt8]?] = [Array("a".utf8), [0xC3], [0xBC], Array("z".utf8)]
        let reading = try reading([.bytes("name", type: 5, halves)], rows: 4)
        #expect(reading.report.rejected == [.invalidUTF8: 2])
        #expect(reading.attributes(0)["name"] == .text("a"))
        #expect(reading.attributes(1)["name"] == .text("z"))
        // One that begins and ends within characters.
        let parts: [[UInt8]?] = [[0xC3], [0xBC, 0x61, 0xC3], [0xBC], Array("z".utf8)]
        let other = try self.reading([.bytes("name", type: 5, parts)], rows: 4)
        #expect(other.report.rejected == [.invalidUTF8: 3])
        #expect(other.table.count == 1 && other.attributes(0)["name"] == .text("z"))
    }

    @Test func `one text that is no UTF-8 spoils no other`() throws {
        let texts: [[UInt8]?] = [Array("a".utf8), [0xFF], Array("é".utf8)]
        let reading = try reading([.bytes("name", type: 5, texts)], rows: 3)
        #expect(reading.report.rejected == [.invalidUTF8: 1])
        #expect(reading.attributes(1)["name"] == .text("é"))
    }

    @Test func `a row has more columns than its first room holds`() throws {
        let columns = (0..<600).map { Column.integers("c\($0)", [Int64.max - Int64($0), nil]) }
        let reading = try reading(columns, rows: 2)
        #expect(reading.attributes(0).count == 600)
        #expect(reading.attributes(0)["c599"] == .integer(.max - 599))
        #expect(reading.attributes(1).isEmpty)
    }

    @Test func `integers of every size keep their extremes`() throws {
        func extremes<Integer: FixedWidthInteger>(_: Integer.Type) -> Column {
            .integers("\(Integer.self)", [Integer.min, .max, nil])
        }
        let reading = try reading(
            [
                extremes(Int8.self), extremes(UInt8.self), extremes(Int16.self),
                extremes(UInt16.self), extremes(Int32.self), extremes(UInt32.self),
                extremes(Int64.self), extremes(UInt64.self),
            ], rows: 3)
        let least = reading.attributes(0), greatest = reading.attributes(1)
        #expect(least["Int8"] == .integer(-128) && greatest["Int8"] == .integer(127))
        #expect(least["UInt8"] == .integer(0) && greatest["UInt8"] == .integer(255))
        #expect(least["Int16"] == .integer(-32_768) && greatest["Int16"] == .integer(32_767))
        #expect(greatest["UInt16"] == .integer(65_535))
        #expect(least["Int32"] == .integer(Int64(Int32.min)))
        #expect(greatest["UInt32"] == .integer(Int64(UInt32.max)))
        #expect(least["Int64"] == .integer(.min) && greatest["Int64"] == .integer(.max))
        #expect(greatest["UInt64"] == .unsigned(.max))
        #expect(reading.attributes(2).isEmpty)
    }
}
