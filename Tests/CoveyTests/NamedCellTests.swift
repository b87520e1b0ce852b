import JSON
import Testing

/// Cells that are named one by one, as a program that shares a job out does it.
struct NamedCellTests {
    @Test(arguments: [("", false), ("--cell-margin 0", true)])
    func `each cell is told of in a line, and whether all have to be run again`(
        margin: String, isAgain: Bool
    ) throws {
        let terminal = try FigureTests.terminal()
        let words = margin.split(separator: " ").map(String.init)
        let plan = ["plan"] + FigureTests.options + ["--job", "job", "--cell-zoom", "1"] + words
        #expect(try terminal.covey("cells", with: plan).exitCode == 0)
        let cells = ["1-0-0", "1-1-0", "1-0-1", "1-1-1"]
        let result = try terminal.covey(
            "cells", "cluster", "--job", "job", "--cells", cells.joined(separator: ","))
        #expect(result.exitCode == 0)
        let lines = try result.output.split(separator: "\n").map {
            try FigureTests.object(String($0))
        }
        let told = lines.compactMap { $0["cell"]?.asString }
        #expect(lines.contains { $0["again"] == true } == (told.count < 4))
        #expect(Set(told).isSubset(of: cells) && (isAgain || told.count == 4))
    }
}
