import FuzzedReading
import PointInput
import Points
import TestSupport
import Testing

/// Features whose brackets or quotes don't match, in a collection without line breaks.
struct UnclosedTests {
    static let good = BadInputTests.good

    static let unclosed = [
        #"{"type":"Feature","properties":{"a":[1,2},"geometry":{"type":"Point","coordinates":[1,2]}}"#,
        #"{"type":"Feature","properties":{"a":1,"geometry":{"type":"Point","coordinates":[1,2]}}"#,
        #"{"type":"Feature","properties":{"a":"b},"geometry":{"type":"Point","coordinates":[1,2]}}"#,
        #"{"properties":{"a":{"b":1},"geometry":null,"type":"Feature"}"#,
    ]

    @Test(arguments: unclosed, [",", ",\n", " , "])
    func `the features behind it are kept and it is counted once`(
        bad: String, separator: String
    ) throws {
        for round in 0..<8 {
            let place = round / 2
            var features = [Self.good, Self.good, Self.good]
            features.insert(bad, at: place)
            let text =
                #"{"type":"FeatureCollection","features":["#
                + features.joined(separator: separator) + "]}"
            var options = InputOptions()
            options.tolerance = .all
            options.pieceSize = round % 2 == 0 ? 64 : 1 << 20
            let (table, report) = try PointTable.read(bytes: Array(text.utf8), options: options)
            #expect(table.count == 3 && report.records == 4, "at \(place)")
            #expect(report.samples.first?.location.record == place + 1)
        }
    }

    @Test(arguments: [64, 1 << 20])
    func `a broken feature with another one in it is counted once`(pieceSize: Int) throws {
        let broken =
            #"{"type":"Feature","properties":{"list":[{"a":1},\#(Self.good)],"n":01},"geometry":null}"#
        let text =
            #"{"type":"FeatureCollection","features":["#
            + [Self.good, broken, Self.good].joined(separator: ",") + "]}"
        var options = InputOptions()
        options.tolerance = .all
        options.pieceSize = pieceSize
        let (table, report) = try PointTable.read(bytes: Array(text.utf8), options: options)
        #expect(table.count == 2 && report.records == 3 && report.rejected == [.syntax: 1])
    }

    @Test(arguments: [64, 1 << 20])
    func `a bracket too many is counted, and what stands behind it is kept`(pieceSize: Int) throws {
        let text =
            #"{"type":"FeatureCollection","features":["#
            + [Self.good, Self.good + "]", Self.good, Self.good].joined(separator: ",") + "]}"
        var options = InputOptions()
        options.tolerance = .all
        options.pieceSize = pieceSize
        let (table, report) = try PointTable.read(bytes: Array(text.utf8), options: options)
        #expect(table.count == 4 && report.records == 5 && report.rejected == [.syntax: 1])
        let answer = complaint(about: text, name: "a.geojson") { $0.pieceSize = pieceSize }
        #expect(
            answer?.contains("after a bracket that ends the collection") == true, "\(answer ?? "")"
        )
    }

    @Test(arguments: ["]", "],", #"],"a""#, #"],"a":"#, #"],"a":[1"#, #"],"a":1"#])
    func `a collection that is cut off behind its features is counted so`(end: String) throws {
        let text = #"{"type":"FeatureCollection","features":["# + Self.good + end
        for pieceSize in [64, 1 << 20] {
            var options = InputOptions()
            options.tolerance = .all
            options.pieceSize = pieceSize
            let (table, report) = try PointTable.read(bytes: Array(text.utf8), options: options)
            #expect(table.count == 1 && report.rejected == [.truncated: 1])
        }
        let answer = complaint(about: text, name: "a.geojson")
        #expect(answer?.contains("is cut off") == true, "\(answer ?? "")")
    }

    @Test func `what is read in one piece is read in small ones, however broken`() {
        var random = SeededRandom(seed: 2_711)
        for _ in 0..<2_000 {
            let parts = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                Self.fragments.randomElement(using: &random)!
            }
            FuzzedReading.check(Array(parts.joined().utf8), as: .geoJSON)
        }
    }

    /// Pieces of GeoJSON, whole and broken.
    private static let fragments =
        [
            #"{"type":"F2],[3nates":[0,2]}"#, #"{"type":"FeatureCollection","features":["#, good,
            "\n", ",", "]}", "]", "}", "]]}}}", #"],"a":1}"#, #"],"a":}"#, #"[1"t,4},"#, "\"",
        ] + unclosed
}
