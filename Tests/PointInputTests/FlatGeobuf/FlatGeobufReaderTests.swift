import PointInput
import Points
import TestSupport
import Testing

struct FlatGeobufReaderTests {
    typealias Bytes = FlatGeobufBytes

    static func read(
        _ bytes: [UInt8], _ change: (inout InputOptions) -> Void = { _ in }
    ) throws -> (points: [ReadPoint], report: InputReport) {
        try withFile(bytes, named: "a.fgb") { try Samples.read(path: $0, change) }
    }

    @Test(arguments: ["kinds.fgb", "kinds-indexed.fgb"])
    func `a file of GDAL's gives what it was made from`(name: String) throws {
        let (points, report) = try Samples.read(name)
        // An index puts the features in an order of its own.
        let order = { (a: ReadPoint, b: ReadPoint) in (a.x, a.y) < (b.x, b.y) }
        // The format has no type for a day.
        let expected = KindsSample.points(ids: false, day: "T00:00:00")
        #expect(points.sorted(by: order) == expected.sorted(by: order))
        #expect(report.records == 4 && report.kept == 4 && report.points == 4)
    }

    @Test func `a multipoint is many points and a line stops the run or is counted`() throws {
        let error = #expect(throws: InputError.self) { try Samples.read("shapes.fgb") }
        #expect(error?.description.contains("feature 3 is a LineString") == true)
        let (points, report) = try Samples.read("shapes.fgb") { $0.skipsNonPoints = true }
        #expect(
            points == [
                ReadPoint(1, 2, ["n": .integer(1)]), ReadPoint(4, 5, ["n": .integer(1)]),
                ReadPoint(7, 8, ["n": .integer(2)]),
            ])
        #expect(report.records == 3 && report.kept == 2 && report.rejected == [.notAPoint: 1])
    }

    @Test func `every property type comes out exactly`() throws {
        let columns = (0...14).map { Bytes.column("c\($0)", UInt8($0)) }
        func text(_ column: UInt8, _ text: String) -> [UInt8] {
            [column, 0] + Bytes.sized(Array(text.utf8))
        }
        let properties: [UInt8] =
            [0, 0, 0x80] + [1, 0, 0xFF] + [2, 0, 1] + [3, 0, 0, 0x80] + [4, 0, 0xFF, 0xFF]
            + [5, 0] + WKB.bytes(Int32.min) + [6, 0] + WKB.bytes(UInt32.max)
            + [7, 0] + WKB.bytes(Int64.min) + [8, 0] + WKB.bytes(UInt64.max)
            + [9, 0] + WKB.bytes(Float(0.1).bitPattern) + [10, 0] + WKB.bytes(0.1.bitPattern)
            + text(11, "é") + text(12, "{\"a\":1}") + text(13, "2024-01-01T00:00:00Z")
            + text(14, "blob")
        let feature = Bytes.feature([1, 2], properties: properties)
        let (points, _) = try Self.read(
            Bytes.file(header: Bytes.header(columns: columns), features: [feature]))
        #expect(
            points.first?.attributes == [
                "c0": .integer(-128), "c1": .integer(255), "c2": .bool(true),
                "c3": .integer(-32768), "c4": .integer(65535), "c5": .integer(Int64(Int32.min)),
                "c6": .integer(Int64(UInt32.max)), "c7": .integer(.min), "c8": .unsigned(.max),
                "c9": .number(Double(Float(0.1))), "c10": .number(0.1), "c11": .text("é"),
                "c12": .text("{\"a\":1}"), "c13": .text("2024-01-01T00:00:00Z"),
            ])
    }

    @Test func `an integer primary key gives the ids`() throws {
        let header = Bytes.header(columns: [
            Bytes.column("key", 7, isPrimaryKey: true), Bytes.column("a", 5),
        ])
        let features = [5, 9].map { (id: Int64) in
            Bytes.feature([1, 2], properties: [0, 0] + WKB.bytes(id) + [1, 0, 7, 0, 0, 0])
        }
        let file = Bytes.file(header: header, features: features)
        #expect(try Self.read(file).points.map(\.id) == [5, 9])
        #expect(
            try Self.read(file).points.map(\.attributes) == [
                ["a": .integer(7)], ["a": .integer(7)],
            ])
        let byOption = try Self.read(file) { $0.idAttribute = "a" }.points
        #expect(byOption.map(\.id) == [7, 7])
        #expect(byOption.map(\.attributes) == [["key": .integer(5)], ["key": .integer(9)]])
    }

    @Test func `features may have columns of their own`() throws {
        let features = [
            Bytes.feature([1, 2], properties: [0, 0, 9], columns: [Bytes.column("a", 1)]),
            Bytes.feature([3, 4], properties: [0, 0, 1], columns: [Bytes.column("b", 2)]),
        ]
        let (points, _) = try Self.read(Bytes.file(header: Bytes.header(), features: features))
        #expect(points.map(\.attributes) == [["a": .integer(9)], ["b": .bool(true)]])
    }

    @Test func `the reference system is degrees, metres, or refused by name`() throws {
        func read(_ code: Int32, _ crs: CoordinateSystem? = .webMercator) throws -> [ReadPoint] {
            let file = Bytes.file(
                header: Bytes.header(code: code),
                features: [Bytes.feature([1_113_194.9079327357, 0])])
            return try Self.read(file) { $0.crs = crs }.points
        }
        #expect(try read(3857) == [ReadPoint(10, 0, [:])])
        #expect(try read(0) == [ReadPoint(10, 0, [:])])
        let error = #expect(throws: InputError.self) { try read(99999, nil) }
        #expect(try read(99999) == [ReadPoint(10, 0, [:])])
        #expect(error?.description.contains("EPSG:99999") == true)
        let degrees = Bytes.file(
            header: Bytes.header(code: 4326), features: [Bytes.feature([1, 2])])
        #expect(try Self.read(degrees) { $0.crs = .webMercator }.points == [ReadPoint(1, 2, [:])])
    }

    @Test func `an empty geometry is counted, and so is a damaged feature`() throws {
        let file = Bytes.file(
            header: Bytes.header(),
            features: [
                Bytes.feature([.nan, .nan]), Bytes.feature(nil), [0xFF, 0xFF, 0xFF, 0xFF],
                Bytes.feature([1, 2]),
            ])
        let (points, report) = try Self.read(file) { $0.tolerance = .all }
        #expect(points == [ReadPoint(1, 2, [:])])
        #expect(report.records == 4 && report.kept == 1)
        #expect(report.rejected == [.noLocation: 2, .syntax: 1])
    }

    @Test func `a file that ends early says where, wherever it ends`() throws {
        let header = Bytes.header(columns: [Bytes.column("a", 1)], count: 3, nodeSize: 16)
        let features = (0..<3).map { Bytes.feature([Double($0), 2], properties: [0, 0, 1]) }
        let index = [UInt8](repeating: 0, count: 40 * 4)
        let file = Bytes.file(header: header, index: index, features: features)
        #expect(try Self.read(file).points.count == 3)
        let firstFeature = 12 + header.count + index.count
        for count in stride(from: 8, to: file.count, by: 3) {
            let error = #expect(throws: InputError.self) {
                try Self.read(Array(file.prefix(count)))
            }
            let part =
                count < firstFeature - index.count
                ? "header" : count < firstFeature ? "index" : "cut off"
            #expect(error?.description.contains(part) == true, "cut at \(count)")
        }
        let cut = Array(file.dropLast(features[2].count + 9))
        let (points, report) = try Self.read(cut) { $0.tolerance = .all }
        #expect(points.count == 1 && report.rejected == [.truncated: 1])
        #expect(report.samples.first?.problem.contains("1 more are missing") == true)
        #expect(throws: InputError.self) { try Self.read(file + [0]) }
    }

    @Test func `a length that lies takes no memory and is refused`() throws {
        let file = Bytes.file(header: Bytes.header(), features: [])
        #expect(throws: InputError.self) { try Self.read(file + [0xFF, 0xFF, 0xFF, 0xFF, 0]) }
        let error = #expect(throws: InputError.self) { try Self.read(file + [0, 0, 0, 0x0F, 0]) }
        #expect(error?.description.contains("feature 1 is cut off") == true)
    }
}
