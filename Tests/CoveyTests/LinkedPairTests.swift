import Foundation
import Testing

/// A PMTiles archive that is reached by a symbolic link: its clusters are beside the archive, not beside the link.
struct LinkedPairTests {
    private let terminal: Terminal

    init() throws {
        terminal = try Terminal()
        try terminal.write("lon,lat\n1,2\n1,2.1\n30,2\n", to: "points.csv")
        try terminal.write("lon,lat\n9,2\n9,2.1\n30,9\n40,9\n", to: "others.csv")
        let made = try terminal.shell(
            """
            mkdir archives links
            "$COVEY" build points.csv -o archives/a.pmtiles -q --max-zoom 4 --keep-points --generate-id
            ln -s ../archives/a.pmtiles links/now.pmtiles
            """)
        try #require(made.exitCode == 0, "\(made.words)")
    }

    private func expectWhole(_ names: [String] = ["a.clusters.pmtiles", "a.pmtiles"]) throws {
        let manager = FileManager.default
        let folder = terminal.folder.path
        #expect(try manager.contentsOfDirectory(atPath: folder + "/links") == ["now.pmtiles"])
        let found = try manager.contentsOfDirectory(atPath: folder + "/archives")
        #expect(found.filter { !$0.contains(".points-") }.sorted() == names)
        let verified = try terminal.covey("verify", "archives/a.pmtiles")
        #expect(verified.exitCode == 0, "\(verified.output)\(verified.words)")
    }

    @Test(arguments: [
        "build others.csv -o links/now.pmtiles -f -q --max-zoom 4",
        "convert others.mbtiles links/now.pmtiles -f -q",
        "update links/now.pmtiles others.csv -q",
        "join others.mbtiles points.mbtiles -o links/now.pmtiles -f -q",
    ])
    func `both files are replaced where the archive is`(line: String) throws {
        for name in ["others", "points"] {
            let built = try terminal.covey(
                "build", "\(name).csv", "-o", "\(name).mbtiles", "-q", "--max-zoom", "4")
            #expect(built.exitCode == 0, "\(built.words)")
        }
        let before = try terminal.bytes("archives/a.clusters.pmtiles")
        let result = try terminal.covey(with: line.split(separator: " ").map(String.init))
        #expect(result.exitCode == 0, "\(result.words)")
        try expectWhole()
        #expect(try terminal.bytes("archives/a.clusters.pmtiles") != before)
    }

    @Test func `the tasks of a merge replace both files there too`() throws {
        let result = try terminal.shell(
            """
            set -e
            cells() { "$COVEY" cells "$@" --job job -q; }
            cells plan others.csv --max-zoom 4 --cell-zoom 1
            cells cluster; cells top; cells tiles; cells index
            cells merge --task 1/2 -o links/now.pmtiles -f; cells merge --task 2/2 -o links/now.pmtiles -f
            """)
        #expect(result.exitCode == 0, "\(result.words)")
        try expectWhole()
    }

    @Test func `a reader of the link finds the clusters`() throws {
        let result = try terminal.covey("convert", "links/now.pmtiles", "copy.mbtiles")
        #expect(
            result.exitCode == 0 && result.words.contains("clusters indexed"), "\(result.words)")
    }

    /// Quiet lines tell of it as well: what is asked for is not all there.
    @Test(arguments: [
        "convert archives/a.pmtiles copy.mbtiles",
        "join archives/a.pmtiles others.mbtiles -o both/",
    ])
    func `an index that is missing is told of`(line: String) throws {
        let folder = terminal.folder.path
        try FileManager.default.removeItem(atPath: folder + "/archives/a.clusters.pmtiles")
        _ = try terminal.covey(
            "build", "others.csv", "-o", "others.mbtiles", "-q", "--max-zoom", "4")
        for more in [["-q"], ["-f"]] {
            let result = try terminal.covey(
                with: line.split(separator: " ").map(String.init) + more)
            let told = result.words.components(separatedBy: "index of clusters is left out: ")
            #expect(result.exitCode == 0 && told.count == 2, "\(result.words)")
            #expect(result.words.contains("a.clusters.pmtiles"))
        }
    }
}
