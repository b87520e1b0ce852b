import PointInput
import Points
import TestSupport
import Testing

struct PieceTests {
    @Test(arguments: [1, 2, 5], ["\n", ",\n", ",", ""])
    func `pieces of any size and number give the same table in the same order`(
        threads: Int, separator: String
    ) throws {
        var random = SeededRandom(seed: 3)
        let features = (0..<300).map { Self.feature($0, &random) }
        let isCollection = separator.hasPrefix(",")
        let text =
            isCollection
            ? #"{"type":"FeatureCollection","features":["# + features.joined(separator: separator)
                + #"],"after":{"a":[{}]}}"#
            : features.joined(separator: separator)
        for pieceSize in [1, 37, 200, 1_000, 1 << 20] {
            var options = InputOptions()
            options.threads = threads
            options.pieceSize = pieceSize
            let (table, report) = try PointTable.read(bytes: Array(text.utf8), options: options)
            try #require(table.count == 300 && report.records == 300)
            for row in 0..<300 {
                try #require(table.ids?[row] == UInt64(row))
                let value = table.attributes.value(of: "n", row: row)
                try #require(value == .integer(Int64(row * row)))
            }
        }
    }

    @Test(arguments: [1, 3])
    func `features within features are not taken for others`(threads: Int) throws {
        let inner = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[9,9]}}"#
        let features = (0..<60).map {
            #"{"type":"Feature","id":\#($0),"properties":{"list":[{"a":1},\#(inner),\#(inner)]},"#
                + #""geometry":{"type":"Point","coordinates":[1,\#($0)]}}"#
        }
        let text =
            #"{"type":"FeatureCollection","features":["# + features.joined(separator: ",")
            + #"],"more":[\#(inner),\#(inner)]}"#
        for pieceSize in [1, 64, 200, 333, 1_000, 1 << 20] {
            var options = InputOptions()
            options.threads = threads
            options.pieceSize = pieceSize
            let bytes = Array((text + "\n" + text).utf8)
            let (table, report) = try PointTable.read(bytes: bytes, options: options)
            try #require(table.count == 120 && report.records == 120)
            try #require((0..<120).allSatisfy { table.ids?[$0] == UInt64($0 % 60) })
        }
    }

    @Test func `tables are cut between rows, never in a quoted cell`() throws {
        var random = SeededRandom(seed: 4)
        var rows: [String] = []
        for row in 0..<300 {
            let quoted = (0..<Int(random.next() % 30)).map { _ in
                ["\n", ",", "\"\"", "a", "é", "\r\n", " "][Int(random.next() % 7)]
            }
            rows.append("\(row % 180),\(row % 90),\(row),\"\(quoted.joined())\",5\" pipe")
        }
        let text = "x,y,n,t,u\n" + rows.joined(separator: "\n")
        for pieceSize in [1, 50, 333, 1 << 20] {
            var options = InputOptions()
            options.threads = 3
            options.pieceSize = pieceSize
            let (table, _) = try PointTable.read(
                bytes: Array(text.utf8), named: "t.csv", options: options)
            try #require(table.count == 300)
            for row in 0..<300 {
                let number = table.attributes.value(of: "n", row: row)
                try #require(number == .integer(Int64(row)))
            }
        }
    }

    @Test func `a fault is placed alike, whatever the pieces`() throws {
        let good =
            #"{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}"#
        var lines = Array(repeating: good, count: 400)
        lines[333] = #"{"type":"Polygon","coordinates":[]}"#
        for pieceSize in [100, 5_000, 1 << 20] {
            var options = InputOptions()
            options.threads = 3
            options.pieceSize = pieceSize
            let error = #expect(throws: InputError.self) {
                try PointTable.read(
                    bytes: Array(lines.joined(separator: "\n").utf8), named: "a", options: options)
            }
            #expect(
                error?.description
                    == "a:334: feature 334 is a Polygon; clusters are made of points")
        }
    }

    /// A feature with strings that look like structure.
    private static func feature(_ number: Int, _ random: inout SeededRandom) -> String {
        let noise = (0..<Int(random.next() % 20)).map { _ in
            ["{", "}", "[", "]", #"\""#, #"\\"#, ",", ":", #"\n"#, "é", "x"][
                Int(random.next() % 11)]
        }.joined()
        return
            #"{"type":"Feature","id":\#(number),"properties":{"t":"\#(noise)","n":\#(number * number),"#
            + #""o":{"k":["\#(noise)",{}]}},"geometry":{"type":"Point","coordinates":[\#(number % 180),1]}}"#
    }
}
