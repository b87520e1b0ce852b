import Foundation
import SQLite
import Testing
import TileService

/// Archives that were made slow on purpose.
struct SlowArchiveTests {
    private func writeTiles(_ view: String, to path: String, in folder: SampleFolder) throws {
        try folder.writeForeign(
            path, metadata: ["name": "bad", "format": "pbf", "maxzoom": "3", "minzoom": "0"],
            tiles: [])
        let database = try Database(path: folder.file(path), mode: .readWriteCreate)
        try database.execute(
            """
            DROP TABLE tiles;
            CREATE TABLE t (z);
            INSERT INTO t VALUES (0), (1), (2), (3);
            CREATE VIEW tiles AS \(view);
            """)
    }

    /// The work of one call grows with the power of the pattern's wildcards.
    @Test(.timeLimit(.minutes(1)))
    func `a hostile archive keeps no client from another`() async throws {
        let folder = try SampleFolder()
        try folder.build("good.mbtiles", points: 30)
        try writeTiles(
            """
            SELECT z AS zoom_level, 0 AS tile_column, 0 AS tile_row, x'1a00' AS tile_data FROM t
            WHERE hex(zeroblob(300000)) LIKE '%0%0%0%0%0%0%0%0%0%0%1'
            """, to: "bad.mbtiles", in: folder)
        let service = folder.service()
        let answers = await withTaskGroup(of: (Bool, Int).self) { group in
            for _ in 0..<2 {
                group.addTask { (true, service.get("/bad/0/0/0").status.rawValue) }
                group.addTask { (true, service.get("/bad/style.json").status.rawValue) }
            }
            for _ in 0..<4 { group.addTask { (false, service.get("/good/0/0/0").status.rawValue) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for (isBad, status) in answers { #expect(isBad ? status >= 404 : status == 200) }
    }

    #if !DEBUG
        /// Each look-up takes most of what one may, and a style looks into dozens of tiles.
        @Test func `a style comes within seconds, however slow its tiles are`() throws {
            let folder = try SampleFolder()
            let names = "abcdefghijklm".map { String($0) }
            let from = names.map { "t \($0)" }.joined(separator: ", ")
            let sum = names.map { "\($0).z" }.joined(separator: " + ")
            try writeTiles(
                """
                SELECT a.z AS zoom_level, b.z AS tile_column, c.z AS tile_row, x'1a00' AS tile_data
                FROM \(from) WHERE \(sum) > 99
                """, to: "bad.mbtiles", in: folder)
            let start = ContinuousClock.now
            _ = try StyleSheet(ofArchiveAt: folder.file("bad.mbtiles"))
            #expect(ContinuousClock.now - start < .seconds(8))
        }
    #endif
}
