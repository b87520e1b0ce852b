import PointInput
import Points
import Testing

/// What is said of values that cannot be ids.
struct OddIDTests {
    private func read(
        _ text: String, id: String? = "k"
    ) throws -> (points: [ReadPoint], notes: [String]) {
        var options = InputOptions()
        options.idAttribute = id
        let (table, report) = try PointTable.read(
            bytes: Array(text.utf8), named: "t", options: options)
        return (table.readPoints, report.notes)
    }

    @Test func `ids of features that are none are told of, moved or lost`() throws {
        func feature(_ id: String, _ properties: String = "{}") -> String {
            #"{"type":"Feature","id":\#(id),"properties":\#(properties),"#
                + #""geometry":{"type":"Point","coordinates":[4,2]}}"#
        }
        let own = #"{"id":"own"}"#
        let (points, notes) = try read(
            [
                feature("-5"), feature("8.5"), feature("\"x\""), feature("\"x\"", own),
                feature("3", own),
            ]
            .joined(separator: "\n"), id: nil)
        #expect(
            points.map { $0.attributes["id"] } == [
                .integer(-5), .number(8.5), .text("x"), .text("own"), .text("own"),
            ])
        #expect(
            Set(notes.filter { $0.contains("id") }) == [
                "t: the id of 2 features is no whole number from 0 to 2^64 - 2, so they have no id; the value becomes the attribute id",
                "t: the id of 1 feature is no whole number from 0 to 2^64 - 2, so it has no id; the value is left out, as there is an attribute id already",
            ])
    }

    @Test func `values that are no ids stay attributes, and are counted`() throws {
        let text = "k,lon,lat\n-5,1,1\n8.5,2,1\n7,3,2\nabc,4,1\n,5,1\n"
        let (points, notes) = try read(text)
        #expect(points.map { $0.attributes["k"] != nil } == [true, true, false, true, false])
        #expect(
            notes == [
                "t: k of 3 rows is no whole number from 0 to 2^64 - 2, so they have no id; the value stays an attribute"
            ])
        #expect(
            try read("k,lon,lat\nabc,1,1\n7,1,1\n9,2,2\n").notes == [
                "t: k of 1 row is no whole number from 0 to 2^64 - 2, so it has no id; the value stays an attribute"
            ])
        // 2^64 - 1 is a whole number, too; and of a record that is left out nothing is said.
        #expect(
            try read("k,lon,lat\n18446744073709551615,1,1\n7,1,1\nabc,,\n").notes.contains {
                $0.hasPrefix("t: k of 1 row is no whole number from 0 to 2^64 - 2,")
            })
        #expect(try read("k,lon,lat\n1,1,1\n7,1,2\n9,4,5\n").notes.isEmpty)
        #expect(try read(text, id: nil).notes.isEmpty)
    }

    /// A row with many columns is read a second time, and so are properties that are given twice.
    @Test(arguments: [3, 1_000])
    func `a record counts once, however often it is looked at`(columns: Int) throws {
        let names = (0..<columns).map { "c\($0)" }.joined(separator: ",")
        let cells = (0..<columns).map { "\($0)" }.joined(separator: ",")
        let rows = (0..<4).map { "x\($0),\($0),1,\(cells)" }.joined(separator: "\n")
        #expect(
            try read("k,lon,lat,\(names)\n\(rows)\n").notes.contains {
                $0.hasPrefix("t: k of 4 rows is no whole number")
            })
        let features = (0..<4).map { number in
            #"{"type":"Feature","properties":{"k":"x","properties":{"k":1},"type":"Feature"},"#
                + #""geometry":{"type":"Point","coordinates":[\#(number),1]},"#
                + #""properties":{"k":"x\#(number)"}}"#
        }
        #expect(
            try read(features.joined(separator: "\n")).notes.contains {
                $0.hasPrefix("t: k of 4 features is no whole number")
            })
    }
}
