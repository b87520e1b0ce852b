import Foundation
import Points
import Testing

@testable import PointInput

/// Arrow streams and files, which are made here byte by byte.
struct ArrowReaderTests {
    typealias Column = ArrowBytes.Column

    static let places: [Column] = [.doubles("lon", [13.4, -0.1]), .doubles("lat", [52.5, 51.5])]

    private func reading(
        _ columns: [Column], rows: Int = 2, _ options: InputOptions = InputOptions()
    ) throws -> Reading {
        try Reading(Data(ArrowBytes.stream(columns, rows: rows)), options: options)
    }

    @Test func `every kind of value becomes an attribute`() throws {
        let columns: [Column] = [
            .texts("name", ["Inn", nil]), .integers("stars", [Int8(-3), nil]),
            .integers("large", [UInt64.max - 1, 7]), .doubles("share", [0.5, .nan]),
            .doubles("most", [.infinity, -.infinity]),
            .bools("open", [true, false]), .days("since", [19_782, -1]),
            .moments("seen", unit: 2, zone: "UTC", [1_709_164_800_250_000, -1]),
            .moments("local", unit: 0, zone: nil, [0, 86_399]),
            .bytes("photo", type: 4, [[1, 2], nil]),
        ]
        let reading = try reading(Self.places + columns)
        #expect(reading.table.count == 2)
        #expect(abs(reading.longitude(0) - 13.4) < 1e-9)
        #expect(abs(reading.latitude(1) - 51.5) < 1e-9)
        #expect(
            reading.attributes(0) == [
                "name": .text("Inn"), "stars": .integer(-3), "large": .unsigned(.max - 1),
                "share": .number(0.5), "open": .bool(true), "since": .text("2024-02-29"),
                "seen": .text("2024-02-29T00:00:00.25Z"), "local": .text("1970-01-01T00:00:00"),
            ])
        #expect(
            reading.attributes(1) == [
                "large": .integer(7), "open": .bool(false), "since": .text("1969-12-31"),
                "seen": .text("1969-12-31T23:59:59.999999Z"), "local": .text("1970-01-01T23:59:59"),
            ])
        #expect(reading.report.notes == ["input: left out the binary values of “photo”"])
    }

    /// Texts of up to twelve bytes stand in the view, longer ones elsewhere.
    @Test func `a text of a view has the bytes that it says, and no more`() throws {
        let letters = "abcdefghijklmnopqrstuvwxyz"
        let texts = (0..<26).map { $0 == 7 ? nil : String(letters.prefix($0)) }
        let places: [Column] = [
            .doubles("lon", texts.map { _ in 1 }), .doubles("lat", texts.map { _ in 2 }),
        ]
        let reading = try reading(places + [.views("t", texts)], rows: texts.count)
        for (row, text) in texts.enumerated() {
            let found = reading.attributes(row)["t"]
            #expect(found == text.map { .text($0) }, "\(row)")
        }
    }

    @Test func `geometries come before columns of coordinates unless these are named`() throws {
        let point =
            [UInt8(1)] + WKB.bytes(UInt32(1)) + WKB.bytes(2.0.bitPattern)
            + WKB.bytes(3.0.bitPattern)
        let columns = Self.places + [.bytes("geometry", type: 4, [point, nil])]
        let reading = try reading(columns)
        #expect(reading.table.count == 1)
        #expect(abs(reading.longitude(0) - 2) < 1e-9)
        #expect(reading.attributes(0)["lon"] == .number(13.4))
        #expect(reading.report.rejected == [.noLocation: 1])
        var options = InputOptions()
        (options.xColumn, options.yColumn) = ("lon", "lat")
        #expect(try self.reading(columns, options).table.count == 2)
        // Of several geometries one may be named, and a column of numbers is none.
        (options.xColumn, options.yColumn) = ("other", "other")
        let named = try self.reading(columns + [.bytes("other", type: 4, [nil, point])], options)
        #expect(named.table.count == 1 && abs(named.longitude(0) - 2) < 1e-9)
        #expect(named.attributes(0)["lat"] == .number(51.5))
        (options.xColumn, options.yColumn) = ("name", "name")
        #expect(throws: InputError.self) {
            try self.reading(columns + [.texts("name", ["a", "b"])], options)
        }
    }

    @Test func `lists are left out with a note`() throws {
        let reading = try reading(
            Self.places + [Column(name: "tags", type: 12, buffers: [[], []])])
        #expect(reading.table.count == 2)
        #expect(reading.report.notes == ["input: left out the lists of “tags”"])
    }

    @Test func `a file holds a stream`() throws {
        let stream = ArrowBytes.stream(Self.places, rows: 2)
        let file = Array("ARROW1\0\0".utf8) + stream + Array("any index".utf8)
        #expect(try Reading(Data(file)).table.count == 2)
    }

    @Test func `batches follow one another`() throws {
        let batch = ArrowBytes.batch(Self.places, rows: 2)
        let stream = ArrowBytes.schema(Self.places) + batch + batch + ArrowBytes.end
        #expect(try Reading(Data(stream)).report.records == 4)
    }

    @Test func `bad rows are counted and located`() throws {
        var options = InputOptions()
        options.tolerance = .all
        let reading = try reading(
            [.doubles("lon", [1, 2, nil, nil]), .doubles("lat", [95, 2, 3, nil])], rows: 4, options)
        #expect(reading.table.count == 1)
        #expect(reading.report.rejected == [.latitudeOutOfRange: 1, .noLocation: 2])
        #expect(
            reading.report.samples.first?.description.contains("row 1 has the latitude 95") == true)
    }

    @Test(arguments: [
        ("no end mark", 0), ("too early", 1), ("too early", 2), ("claims", 3), ("dictionary", 5),
        ("fewer bytes", 6), ("other columns", 7), ("not a schema", 8),
    ]) func `what cannot be read is told`(words: String, damage: Int) {
        let columns = Self.places
        let whole = ArrowBytes.stream(columns, rows: 2)
        let head = ArrowBytes.schema(columns)
        var encoded = columns
        encoded[0].isDictionary = true
        let bytes: [UInt8] =
            switch damage {
            case 0: Array(whole.dropLast(8))
            case 1: Array(whole.dropLast(20))
            case 2: Array(head.dropLast(5))
            case 3: head + ArrowBytes.batch(columns, rows: 2, isCompressed: true) + ArrowBytes.end
            case 5: ArrowBytes.stream(encoded, rows: 2)
            case 6: head + ArrowBytes.batch(columns, rows: 3) + ArrowBytes.end
            case 7: head + ArrowBytes.batch(Array(columns.dropLast()), rows: 2) + ArrowBytes.end
            default: ArrowBytes.batch(columns, rows: 2) + ArrowBytes.end
            }
        let complaint = complaint(about: Data(bytes), name: "points.arrow")
        #expect(complaint?.contains(words) == true, "\(complaint ?? "nothing")")
    }

    @Test func `a file that is empty or shorter than its mark is told`() {
        for count in 0..<8 {
            let bytes = Data(Array("ARROW1\0\0".utf8).prefix(count))
            let complaint = complaint(about: bytes, name: "a") { $0.format = .arrow }
            #expect(complaint?.hasPrefix("a: ") == true, "\(count): \(complaint ?? "nothing")")
        }
        // The shortest file there may be has a footer of no bytes, in which no schema is.
        let shortest = Array("ARROW1\0\0".utf8) + [0, 0, 0, 0] + Array("ARROW1".utf8)
        let said = complaint(about: Data(shortest), name: "a") { $0.format = .arrow }
        #expect(said?.contains("footer") == true, "\(said ?? "nothing")")
    }

    /// Whatever a byte is changed to: an answer or an error, and no trap.
    @Test func `any byte may be damaged`() {
        let whole = ArrowBytes.stream(
            Self.places + [.texts("name", ["Inn", nil]), .bools("open", [true, nil])], rows: 2)
        for index in whole.indices {
            for change: UInt8 in [0x01, 0x80, 0xFF] {
                var bytes = whole
                bytes[index] ^= change
                var options = InputOptions()
                options.tolerance = .all
                options.format = .arrow
                _ = try? PointTable.read(bytes: bytes, options: options)
            }
        }
    }
}
