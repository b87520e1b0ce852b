import PointInput
import Points
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

    @Test func `a bracket too many ends the collection, and that is said`() throws {
        let text =
            #"{"type":"FeatureCollection","features":["#
            + [Self.good + "]", Self.good].joined(separator: ",") + "]}"
        let answer = complaint(about: text, name: "a.geojson") { $0.tolerance = .all }
        #expect(answer?.contains("the end of the collection") == true, "\(answer ?? "")")
    }
}
