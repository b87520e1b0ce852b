import Foundation
import Testing

/// What `covey diff` says of what only clusters have.
struct ClusterDifferenceTests {
    @Test(arguments: ["a.mbtiles", "a.pmtiles", "a/"])
    func `a point within a cluster that differs is a difference`(archive: String) throws {
        let terminal = try Terminal()
        for (folder, value) in [("one", 3), ("other", 4)] {
            let rows = (1...40).map { "\($0),\($0 % 2),1,\($0 == 7 ? value : 0)" }
            let text = "id,lon,lat,v\n" + rows.joined(separator: "\n")
            try terminal.write(text, to: "\(folder)/points.csv")
            let built = try terminal.covey(
                "build", "\(folder)/points.csv", "-o", "\(folder)/\(archive)", "-q", "--id", "id",
                "--max-zoom", "3", "--keep-coincident")
            #expect(built.exitCode == 0, "\(built.words)")
        }
        let equal = try terminal.covey("diff", "one/\(archive)", "one/\(archive)")
        #expect(equal.exitCode == 0 && equal.output == "no difference\n")
        let result = try terminal.covey("diff", "one/\(archive)", "other/\(archive)")
        #expect(result.exitCode == 1 && result.output.contains("metadata covey"))
        #expect(result.output.contains("all tiles are the same"), "\(result.output)")
    }
}
