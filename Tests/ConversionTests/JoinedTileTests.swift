import Conversion
import Foundation
import JSON
import SQLite
import Testing
import TileArchive

/// Tiles that are easily put together wrongly: keys as long as those of clusters, and plain bytes.
struct JoinedTileTests {
    let files = try! BakedFiles()

    /// The names of attributes are as long as those by which clusters and their parents are known.
    private func points(_ name: String, at longitude: Double) throws -> (
        name: String, source: String
    ) {
        let lines = (0..<80).map { number in
            let position = "\(longitude + Double(number % 8) * 0.7), \(Double(number / 8) * 0.9)"
            return
                "{\"type\": \"Feature\", \"geometry\": {\"type\": \"Point\", \"coordinates\": "
                + "[\(position)]}, \"properties\": {\"population\": \(number), "
                + "\"height\": \(number % 5), \"n\": 1}}"
        }
        let path = files.file(name + ".geojsonl")
        try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        return (name, path)
    }

    private func join(_ archives: [Archive], _ name: String) throws -> Archive {
        let path = files.file(name)
        let container = try #require(ArchiveContainers.container(named: path))
        _ = try ArchiveJoin(archives, to: path, in: container).run()
        return try Archive(path: path)
    }

    /// One worker's fault is not the end of what others have begun.
    @Test(arguments: [
        "UPDATE covey_blocks SET data = 'text'",
        "UPDATE covey_blocks SET data = substr(data, 1, length(data) - 9)",
        "UPDATE tiles SET tile_data = substr(tile_data, 1, length(tile_data) - 9)",
    ])
    func `damage ends a join of several threads with a reason`(sql: String) throws {
        let path = files.file("damaged.mbtiles")
        let sound = try files.build(
            "sound.mbtiles", [points("west", at: -9)], tiles: ["maxZoom": 4])
        _ = try files.build("damaged.mbtiles", [points("east", at: 3)], tiles: ["maxZoom": 4])
        try Database(path: path, mode: .readWriteCreate).execute(sql)
        for number in 0..<5 {
            var options = ConversionOptions()
            options.threads = 4
            #expect(throws: (any Error).self) {
                try ArchiveJoin(
                    [Archive(path: path), sound], to: files.file("\(number).pmtiles"),
                    in: PMTiles.self, options: options
                ).run()
            }
        }
    }

    @Test func `attributes as long as the ids of clusters stay what they are`() throws {
        let layers = try [points("east", at: 3), points("west", at: -9)]
        let tiles: JSONValue = ["maxZoom": 4]
        let fields: JSONValue = ["parent"]
        let parts = try layers.map {
            try files.build("\($0.name).mbtiles", [$0], tiles: tiles, fields: fields)
        }
        let whole = try files.build("whole.mbtiles", layers, tiles: tiles, fields: fields)
        let joined = try join(parts, "joined.mbtiles")
        #expect(try Contents(of: joined) == Contents(of: whole))
    }

    @Test func `plain tiles and packed ones are put together alike`() throws {
        let layers = try [points("east", at: 3), points("west", at: -9)]
        let packed = try layers.map {
            try files.build("\($0.name).mbtiles", [$0], tiles: ["maxZoom": 4])
        }
        let (plain, _) = try files.convert(packed[0], "plain/", gzip: false)
        var scan = try plain.scan()
        _ = try scan.next()
        #expect(scan.bytes[0] != 0x1F)
        let joined = try join([plain, packed[1]], "of-plain.mbtiles")
        #expect(try Contents(of: joined) == Contents(of: join(packed, "of-packed.mbtiles")))
    }
}
