import Foundation
import PointInput
import Points
import Testing

/// Parquet and Arrow files that PyArrow wrote (`Tests/Interop/Columns/samples.py`): the same forty rows in
/// every encoding, codec and page version.
struct ColumnSampleTests {
    /// What the forty rows hold.
    static func expected(_ row: Int) -> ReadPoint {
        var attributes: ReadPoint.Attributes = [
            "large": .integer(1 << 40 + 1_000_003 * Int64(row)),
            "ratio": number(Double(row) / 4),
        ]
        if row % 7 != 3 {
            attributes["name"] = .text("Straße \(row / 3)")
            attributes["small"] = .integer(Int64(row * row - 300))
            attributes["share"] = number(Double(row) / 8)
            attributes["open"] = .bool(row % 3 == 0)
        }
        let places = (-170 + 8.25 * Double(row), -60 + 3.125 * Double(row))
        return ReadPoint(places.0, places.1, attributes)
    }

    static func number(_ number: Double) -> AttributeValue {
        number == number.rounded() ? .integer(Int64(number)) : .number(number)
    }

    static let parquet = [
        "plain", "dictionary", "delta", "shared", "snappy", "gzip", "zstd", "lz4", "brotli",
    ]

    @Test(arguments: parquet, [1, 2])
    func `every encoding, codec and page version gives the same rows`(
        name: String, version: Int
    ) throws {
        // A few rows at a time, so that pages are taken in parts.
        for pieceSize in [1 << 18, 64] {
            let reading = try Samples.read("Columns/\(name)-v\(version).parquet") {
                $0.pieceSize = pieceSize
                $0.threads = pieceSize > 64 ? 1 : 3
            }
            #expect(reading.points == (0..<40).map(Self.expected))
            #expect(reading.report.records == 40 && reading.report.notes.isEmpty)
        }
    }

    @Test(arguments: ["lz4", "zstd"])
    func `compressed Arrow batches give the same rows`(name: String) throws {
        for pieceSize in [1 << 18, 64] {
            let reading = try Samples.read("Columns/\(name).feather") {
                $0.pieceSize = pieceSize
                $0.threads = 2
            }
            #expect(reading.points == (0..<40).map(Self.expected))
        }
    }

    @Test func `row groups without rows cost no others`() throws {
        let reading = try Samples.read("Columns/empty-groups.parquet")
        #expect(reading.points == (0..<40).map(Self.expected))
    }

    /// Their values lie in even steps on some pages, and not on others.
    @Test(arguments: ["sizes", "sizes-dictionary"], [8, 96, 104, 1 << 18])
    func `geometries of one size and of several give the same points`(
        name: String, pieceSize: Int
    ) throws {
        let reading = try Samples.read("Columns/\(name).parquet") {
            $0.pieceSize = pieceSize
            $0.threads = 2
        }
        let expected = (0..<40).filter { $0 != 33 }.map(Self.expected)
        #expect(reading.points == expected.map { ReadPoint($0.x, $0.y, [:]) })
        #expect(reading.report.rejected == [.noLocation: 1])
    }

    @Test func `geometries in lists are refused by their name`() throws {
        let error = #expect(throws: InputError.self) {
            try Samples.read("Columns/multipoints.parquet")
        }
        let words = "the column geometry has its geometries in lists"
        #expect(error?.description.hasSuffix(words) == true)
        #expect(error?.advice?.contains("WKB") == true)
    }

    @Test(arguments: ["grown.arrows", "grown.feather"])
    func `dictionaries may grow on the way`(name: String) throws {
        let points = try Samples.read("Columns/\(name)").points
        let rows = [7, 9, 20].flatMap { Array(0..<$0) }
        #expect(points.map { $0.attributes["class"] } == rows.map { .text("Straße \($0)") })
        #expect(points.map { $0.attributes["number"] } == rows.map { .integer(100 * Int64($0)) })
    }

    @Test func `dictionaries may hold truth values and views`() throws {
        let points = try Samples.read("Columns/dictionaries.feather").points
        #expect(points.count == 40)
        for (row, point) in points.enumerated() {
            #expect(point.attributes["open"] == .bool(row % 2 == 1))
            let name = "Straße \(row % 6 / 3) and what makes it long"
            #expect(point.attributes["class"] == .text(name))
        }
    }

    @Test func `views, large texts and dictionaries are texts`() throws {
        let points = try Samples.read("Columns/views.feather").points
        #expect(points.count == 40)
        for (row, point) in points.enumerated() {
            let name = AttributeValue.text("Straße \(row / 3)")
            #expect(point.attributes["short"] == name)
            #expect(point.attributes["class"] == (row % 7 == 3 ? nil : name))
            let long = AttributeValue.text("Straße \(row / 3) and what makes it long")
            #expect(point.attributes["name"] == (row % 7 == 3 ? nil : long))
        }
    }

    /// What the first row of `kinds` holds.
    static let first: ReadPoint.Attributes = [
        "day": .text("2024-02-29"), "seen": .text("2024-02-29T12:30:15.25Z"),
        "local": .text("2024-02-29T12:30:15.25"), "price": .number(12.34),
        "id": .text("01000000-0000-0000-0000-0000000000ff"), "half": .number(0.5),
        "tiny": .integer(200), "huge": .unsigned(.max - 1), "names.primary": .text("Inn"),
        "names.rank": .integer(1), "class": .text("a"),
    ]

    @Test(arguments: ["kinds.parquet", "kinds.feather"])
    func `every type becomes what attributes can hold`(name: String) throws {
        let reading = try Samples.read("Columns/\(name)")
        var first = try #require(reading.points.first)
        // Past 64 bits the last digit of a decimal may be lost.
        guard case .number(let wide)? = first.attributes.removeValue(forKey: "wide") else {
            Issue.record("no wide number")
            return
        }
        #expect(abs(wide / -12_345_678_901_234_567_890.5 - 1) < 1e-15)
        #expect(first == ReadPoint(13.4, 52.5, Self.first))
        #expect(reading.points.last == ReadPoint(-0.1, 51.5, [:]))
        #expect(reading.report.rejected == [.noLocation: 1])
        let notes = reading.report.notes.joined(separator: "\n")
        #expect(notes.contains("left out the lists of “tags”"))
        #expect(notes.contains("left out the binary values of “photo”"))
        #expect(notes.contains("left out the column “clock”"))
    }

    @Test func `moments of old programs are moments`() throws {
        let point = try Samples.read("Columns/int96.parquet").points.first
        #expect(point?.attributes["seen"] == .text("2024-02-29T12:30:15.25"))
    }

    @Test(arguments: [
        "points.parquet", "point-struct.feather", "point-list.feather", "point-wkb.feather",
    ]) func `points of GeoArrow and GeoParquet are found by what the file says`(name: String) throws
    {
        let reading = try Samples.read("Columns/\(name)")
        #expect(
            reading.points == [
                ReadPoint(1, 2, ["n": .integer(1)]), ReadPoint(3, 4, ["n": .integer(3)]),
            ])
        #expect(reading.report.rejected == [.noLocation: 1])
    }

    @Test func `a declared coordinate system counts more than the option`() throws {
        let point = try Samples.read("Columns/crs-3857.parquet").points.first
        #expect(abs((point?.x ?? 0) - 10) < 1e-6 && point?.y == 0)
        for name in ["crs-25832.parquet", "crs-25832.feather"] {
            let reading = try? Samples.read("Columns/\(name)") { $0.crs = .webMercator }
            let note = reading?.report.notes.first ?? ""
            #expect(reading == nil || note.contains("EPSG:25832"), "\(name): \(note)")
        }
    }

    @Test func `only the columns that are asked for are read`() throws {
        let path = Samples.path("Columns/zstd-v2.parquet")
        var bytes = Array(try Data(contentsOf: URL(filePath: path)))
        // Zstandard's frames begin so: those of all columns but the coordinates are broken.
        let frames = bytes.indices.dropLast(4).filter {
            Array(bytes[$0..<$0 + 4]) == [0x28, 0xB5, 0x2F, 0xFD]
        }
        #expect(frames.count > 16)
        let kept = try Samples.read(path: path) { $0.included = ["large"] }
        let isOfText = frames.filter {
            String(decoding: bytes[$0..<$0 + 40], as: UTF8.self).contains("Stra")
        }
        for frame in isOfText { bytes[frame] = 0 }
        #expect(!isOfText.isEmpty)
        let reading = try withFile(bytes, named: "a.parquet") { path in
            #expect(throws: InputError.self) { try Samples.read(path: path) }
            return try Samples.read(path: path) { $0.included = ["large"] }
        }
        #expect(reading.points == kept.points && kept.points[3].attributes.count == 1)
    }

    @Test func `a filter sees columns that are left out`() throws {
        let reading = try Samples.read("Columns/plain-v1.parquet") { options in
            options.included = ["large"]
            options.xColumn = "lon"
            options.yColumn = "lat"
        }
        #expect(reading.points.map { $0.attributes.keys.sorted() }.allSatisfy { $0 == ["large"] })
    }
}
