import Foundation
import PointInput
import Points
import Testing

/// What is read in pieces, by several threads, and from several files: the same as in one go.
struct SeamTests {
    // Without optimization a tenth is read, in smaller pieces; the release run reads all.
    #if DEBUG
        static let count = 6_000
        static let pieceSize = 1 << 13
    #else
        static let count = 150_000
        static let pieceSize = 1 << 18
    #endif

    /// A text of so many records, some of them bad, with attributes that change their kind.
    static func text(_ format: String) -> String {
        var text = format == "csv" ? "lon,lat,n,t,late\n" : ""
        for row in 0..<count {
            let x = Double(row % 36_000) / 100 - 180
            let y = row % 1_777 == 1_776 ? 95 : Double(row % 17_000) / 100 - 85
            let late = row == count - 5 ? "end" : "\(row % 7)"
            switch format {
            case "csv":
                text += "\(x),\(y),\(row),\"a \"\"\(row)\"\"\n,b\",\(late)\n"
            default:
                text +=
                    #"{"type":"Feature","properties":{"n":\#(row),"late":"\#(late)"},"#
                    + #""geometry":{"type":"Point","coordinates":[\#(x),\#(y)]}}"# + "\n"
            }
        }
        return text
    }

    @Test(arguments: ["csv", "geojson"])
    func `one thread and eight read the same points and report`(format: String) throws {
        let text = Array(Self.text(format).utf8)
        func read(threads: Int, pieceSize: Int) throws -> (PointTable, InputReport) {
            var options = InputOptions()
            options.threads = threads
            options.pieceSize = pieceSize
            options.tolerance = .all
            return try PointTable.read(bytes: text, named: "t.\(format)", options: options)
        }
        let (whole, wholeReport) = try read(threads: 1, pieceSize: text.count + 1)
        #expect(whole.count == Self.count - Self.count / 1_777)
        #expect(wholeReport.rejected == [.latitudeOutOfRange: Self.count / 1_777])
        for threads in [1, 8] {
            let (table, report) = try read(threads: threads, pieceSize: Self.pieceSize)
            #expect(report == wholeReport)
            try #require(table.count == whole.count)
            let isEqual = (0..<table.count).allSatisfy { row in
                table.position(of: row) == whole.position(of: row)
                    && ["n", "t", "name", "late"].allSatisfy {
                        table.attributes.value(of: $0, row: row)
                            == whole.attributes.value(of: $0, row: row)
                    }
            }
            #expect(isEqual)
        }
        // One text in the last rows makes a column of texts from the first.
        let late = whole.attributes.value(of: "late", row: 0)
        #expect(late == .text("0"))
    }

    @Test func `a table may be cut at any of its bytes`() throws {
        let text =
            "x,y,n,t\r\n1,2,3,\"a\n\"\"b\"\"\r\n,c\"\r\n4,5,6,\"\"\n7,8,9,d\"e\r\n-1,-2,-3,\"\n\"\n1,1,1,\r\n"
        let whole = try Reading(text, name: "t.csv").table.readPoints
        #expect(whole.count == 5)
        #expect(whole[0].attributes["t"] == .text("a\n\"b\"\r\n,c"))
        for pieceSize in 1...text.utf8.count + 1 {
            for threads in [1, 3] {
                var options = InputOptions()
                options.threads = threads
                options.pieceSize = pieceSize
                let table = try PointTable.read(
                    bytes: Array(text.utf8), named: "t.csv", options: options
                ).table
                try #require(table.readPoints == whole, "pieces of \(pieceSize)")
            }
        }
    }

    @Test(arguments: [1, 3])
    func `rejects and kinds of several files add up`(threads: Int) throws {
        let first = "lon,lat,v\n1,2,3\n1,99,4\n5,6,\n,,7\n"
        let second = "lat,lon,v\n2,1,x\nbad,1,y\n3,4,5\n"
        let files = [first, second].map { TemporaryFile(Data($0.utf8), ending: "csv") }
        defer { files.forEach { $0.remove() } }
        let sources = zip(files, ["a.csv", "b.csv"]).map { PointSource.file($0.path, named: $1) }
        for pieceSize in [1, 10, 1 << 18] {
            var options = InputOptions()
            options.threads = threads
            options.pieceSize = pieceSize
            options.tolerance = .atMost(2)
            let (table, report) = try PointTable.read(sources, options: options)
            #expect(
                table.readPoints == [
                    ReadPoint(1, 2, ["v": .integer(3)]), ReadPoint(5, 6, [:]),
                    ReadPoint(1, 2, ["v": .text("x")]), ReadPoint(4, 3, ["v": .text("5")]),
                ])
            #expect(report.records == 7 && report.kept == 4)
            #expect(
                report.rejected == [.latitudeOutOfRange: 1, .noLocation: 1, .badCoordinates: 1])
            #expect(report.samples.map(\.location.input) == ["a.csv", "a.csv", "b.csv"])
            #expect(report.samples.map(\.location.line) == [3, 5, 3])
            options.tolerance = .atMost(1)
            let error = #expect(throws: InputError.self) {
                try PointTable.read(sources, options: options)
            }
            #expect(error?.description.contains("b.csv:3: row 2") == true)
            #expect(error?.description.contains("more than 1 records are not valid") == true)
        }
    }

    @Test(arguments: [
        (#"{"type":"MultiPoint","coordinates":[[1,2],[3,4],[5,200]]}"#, "latitude"),
        (#"{"type":"MultiPoint","coordinates":[[1,2],[3]]}"#, "two numbers"),
        (#"{"type":"MultiPoint","coordinates":[[1,2],[600,4]]}"#, "longitude"),
        (#"{"type":"MultiPoint","coordinates":[[1,2],5,[3,4]]}"#, "has “5” where two numbers"),
    ])
    func `a MultiPoint that fails keeps none of its points`(geometry: String, words: String) throws
    {
        func feature(_ number: Int, _ geometry: String) -> String {
            #"{"type":"Feature","id":\#(number),"properties":{"n":\#(number)},"geometry":\#(geometry)}"#
        }
        let point = #"{"type":"Point","coordinates":[7,8]}"#
        let text = [feature(1, point), feature(2, geometry), feature(3, point)].joined(
            separator: "\n")
        var options = InputOptions()
        options.tolerance = .all
        let reading = try Reading(text, options: options)
        #expect(
            reading.table.readPoints == [
                ReadPoint(7, 8, id: 1, ["n": .integer(1)]),
                ReadPoint(7, 8, id: 3, ["n": .integer(3)]),
            ])
        #expect(reading.report.points == 2 && reading.report.kept == 2)
        #expect(reading.report.samples.first?.problem.contains(words) == true)
    }

    @Test(arguments: [
        "POINT(1 2, 3 4)", "POINT((1 2)", "POINT 1 2", "POINT(1)", "MULTIPOINT(1 2,)",
        "POINT(1 2))",
        "POINT(1 2) x", "POINT(1 2", "POINTS(1 2)",
    ])
    func `well-known text that is nearly a point is none`(text: String) throws {
        var options = InputOptions()
        options.tolerance = .all
        let reading = try Reading("id,wkt\n1,\"\(text)\"\n2,POINT (3 4)\n", options: options)
        #expect(reading.table.readPoints == [ReadPoint(3, 4, ["id": .integer(2)])])
        #expect(reading.report.rejectedCount == 1)
    }

    @Test func `ids that come twice stay with their points`() throws {
        let text = (0..<6).map {
            #"{"type":"Feature","id":\#($0 / 2),"properties":{},"geometry":"#
                + #"{"type":"Point","coordinates":[\#($0),0]}}"#
        }.joined(separator: "\n")
        let ids = try #require(try Reading(text).table.ids)
        #expect((0..<6).map { ids[$0] } == [0, 0, 1, 1, 2, 2])
    }
}
