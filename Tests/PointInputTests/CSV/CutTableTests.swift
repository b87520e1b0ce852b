import Points
import Testing

@testable import PointInput

/// Tables that end in the middle of a row.
struct CutTableTests {
    private func read(_ text: String) throws -> (points: Int, rejected: [RejectReason: Int]) {
        var options = InputOptions()
        options.tolerance = .all
        let (table, report) = try PointTable.read(bytes: Array(text.utf8), options: options)
        return (table.count, report.rejected)
    }

    @Test func `a last row without its last cells and without a line end is cut off`() throws {
        let head = "ref,lon,lat,speed\n1,10,50,3\n"
        for (last, isCut) in [
            ("2,11.5,", true), ("2,11.5", true), ("2,11,50", true), ("2", true),
            ("2,11,50,", false), ("2,11,50,4", false), ("2,11,50\n", false), ("2,11,50\r\n", false),
            ("", false), ("\n", false), ("   ", false), ("\u{1A}", false),
        ] {
            let rejected = try read(head + last).rejected
            #expect((rejected[.truncated] == 1) == isCut, "\(last): \(rejected)")
        }
        // Where rows end early, the last one may.
        #expect(try read(head + "2,11,50\n3,12,50").points == 3)
        #expect(throws: InputError.self) { try PointTable.read(bytes: Array((head + "2,").utf8)) }
    }
}
