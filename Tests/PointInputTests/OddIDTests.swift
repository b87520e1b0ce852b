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

    @Test func `values that are no ids stay attributes, and are counted`() throws {
        let text = "k,lon,lat\n-5,1,1\n8.5,2,1\n7,3,2\nabc,4,1\n,5,1\n"
        let (points, notes) = try read(text)
        #expect(points.map { $0.attributes["k"] != nil } == [true, true, false, true, false])
        #expect(
            notes == [
                "t: k of 3 rows is no whole number from 0, so they have no id; the value stays an attribute"
            ])
        #expect(
            try read("k,lon,lat\nabc,1,1\n7,1,1\n9,2,2\n").notes == [
                "t: k of 1 row is no whole number from 0, so it has no id; the value stays an attribute"
            ])
        #expect(try read("k,lon,lat\n1,1,1\n7,1,2\n9,4,5\n").notes.isEmpty)
        #expect(try read(text, id: nil).notes.isEmpty)
    }
}
