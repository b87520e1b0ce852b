import ArchiveContract
import Conversion
import Foundation
import MadeArchives
import Testing
import TileArchive

/// How archives of earlier formats are joined and converted.
struct JoinIDTests {
    let files = try! BakedFiles()

    private func join(_ archives: [Archive], _ name: String) throws -> Archive {
        let path = files.file(name)
        _ = try ArchiveJoin(archives, to: path, in: MBTiles.self).run()
        return try Archive(path: path)
    }

    @Test func `archives of earlier formats are refused, and converted without clusters`() throws {
        let points = try files.points("a", count: 300, seed: 1)
        let new = try files.build("a.mbtiles", [("a", points)], tiles: ["maxZoom": 3])
        let path = files.file("old.mbtiles")
        let description = try #require(new.description).get()
        var rows: [ClusterRecord] = []
        for case .cluster(let row) in try Contents(of: new).clusters { rows.append(row) }
        try OldArchive.write(
            to: path, description, idBase: 32,
            tiles: Contents(of: new).tiles.sorted { $0.key.hilbertID < $1.key.hilbertID },
            blocks: [(0, Contents(of: new).blocks[0], [])], clusters: rows)
        let old = try Archive(path: path)
        #expect(old.hasClusters)
        for pair in [[new, old], [old, new]] {
            let error = #expect(throws: ConversionError.self) { _ = try join(pair, "x.mbtiles") }
            #expect(error?.description.contains("was built by an earlier covey") == true)
            #expect(error?.description.contains("build it again") == true)
        }
        let (converted, report) = try files.convert(old, "b.pmtiles")
        #expect(!converted.hasClusters && report.tiles > 20)
        #expect(report.notes.contains { $0.contains("built by an earlier covey") })
    }
}
