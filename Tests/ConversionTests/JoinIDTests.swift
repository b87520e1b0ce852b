import ArchiveContract
import Conversion
import Foundation
import JSON
import SQLite
import Testing
import TileArchive

/// How archives are joined that name their clusters differently.
struct JoinIDTests {
    let files = try! BakedFiles()

    private func join(_ archives: [Archive], _ name: String) throws -> Archive {
        let path = files.file(name)
        _ = try ArchiveJoin(archives, to: path, in: MBTiles.self).run()
        return try Archive(path: path)
    }

    @Test func `archives whose ids count points are joined with their like alone`() throws {
        let parts = try ["a", "b"].enumerated().map { number, name in
            let points = try files.points(name, count: 300, seed: UInt64(number) + 1)
            return try files.build("\(name).mbtiles", [(name, points)], tiles: ["maxZoom": 3])
        }
        _ = try join(parts, "new.mbtiles")
        let old = try parts.map { part in
            let covey = try #require(part.metadata.covey?.asObject)
            var account = covey
            account["format"] = 2
            account["idBase"] = 32
            let path = part.path + ".old.mbtiles"
            try Data(contentsOf: URL(filePath: part.path)).write(to: URL(filePath: path))
            let database = try Database(path: path, mode: .readWriteCreate)
            try database.execute(
                "UPDATE metadata SET value = '\(JSONValue.object(account).text())' "
                    + "WHERE name = 'covey'")
            return try Archive(path: path)
        }
        let joined = try join(old, "old.mbtiles")
        let description = try #require(try joined.description?.get())
        #expect(description.ids == .counted(base: 32))
        for pair in [[parts[0], old[1]], [old[0], parts[1]]] {
            let error = #expect(throws: ConversionError.self) { _ = try join(pair, "x.mbtiles") }
            #expect(error?.description.contains("was built by an earlier covey") == true)
            #expect(error?.description.contains("build it again") == true)
        }
    }
}
