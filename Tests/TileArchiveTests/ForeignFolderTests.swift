import CLibrary
import Geometry
import Platform
import Testing
import TileArchive

/// Folders that others made, or made to do harm.
struct ForeignFolderTests {
    let directory = try! TemporaryDirectory()
    var path: String { directory.path }

    private func put(_ text: String, _ name: String) throws {
        var folder = path
        for part in name.split(separator: "/").dropLast() {
            folder += "/\(part)"
            try? Directory.create(folder)
        }
        try File.write(Array(text.utf8).span, toNew: "\(path)/\(name)")
    }

    private func tiles() throws -> [String: String] {
        var tiles: [String: String] = [:]
        var scan = try Archive(path: path).scan()
        while let tile = try scan.next() {
            tiles["\(tile)"] = String(decoding: Array(copying: scan.bytes), as: UTF8.self)
        }
        return tiles
    }

    @Test func `links are not followed, nor is anything opened that is no file`() throws {
        try put("{\"name\": \"a\", \"format\": \"pbf\", \"json\": \"{}\"}", "metadata.json")
        try put("own", "1/0/0.pbf")
        try put("secret", "elsewhere/0/0.pbf")
        symlink("../../elsewhere/0/0.pbf", path + "/1/0/1.pbf")
        symlink("../elsewhere/0", path + "/1/1")
        symlink("elsewhere", path + "/2")
        #expect(mkfifo(path + "/1/0/2.pbf", 0o600) == 0)
        let archive = try Archive(path: path)
        #expect(try tiles() == ["1/0/0": "own"])
        var lookup = try archive.openTiles()
        for (z, x, y) in [(1, 0, 1), (1, 1, 0), (2, 0, 0)] {
            let tile = TileID(z: UInt8(z), x: UInt32(x), y: UInt32(y))
            #expect(try lookup.tile(at: tile) == nil)
        }
        let strays = try archive.audit().strayKeys
        #expect(Set(strays) == ["1/0/1.pbf", "1/0/2.pbf", "1/1", "2"])
    }

    @Test func `a TileJSON that maps would be misled by is damage`() throws {
        let layers = #"[{"id": "a", "fields": {}}]"#
        try put(
            """
            {"name": "a", "format": "pbf", "minzoom": "0", "maxzoom": "3",
            "json": "{\\"vector_layers\\": [{\\"id\\": \\"a\\", \\"fields\\": {}}]}"}
            """, "metadata.json")
        for (text, damage) in [
            (#"{"minzoom": 0, "maxzoom": 3, "vector_layers": \#(layers)}"#, []),
            (#"{"minzoom": 0, "maxzoom": 2, "vector_layers": \#(layers)}"#, ["maxzoom"]),
            (#"{"minzoom": 1, "maxzoom": 3}"#, ["minzoom", "vector_layers"]),
            ("[]", ["\(path)"]),
        ] {
            try put(text, "tiles.json")
            let found = try Archive(path: path).audit().damage
            let isExpected = zip(found, damage).allSatisfy { $0.hasPrefix($1) }
            #expect(found.count == damage.count && isExpected, "\(found)")
            try File.remove(path + "/tiles.json")
        }
        #expect(try Archive(path: path).audit().damage.isEmpty)
    }

    @Test func `metadata that is a link, huge or no object is refused`() throws {
        try put("{}", "real.json")
        symlink("real.json", path + "/metadata.json")
        #expect(throws: ArchiveError.self) { _ = try Archive(path: path) }
        try File.remove(path + "/metadata.json")
        try put("[1]", "metadata.json")
        let error = #expect(throws: ArchiveError.self) { _ = try Archive(path: path) }
        #expect(error?.description.contains("metadata.json is not a JSON object") == true)
        try File.remove(path + "/metadata.json")
        try put(String(repeating: " ", count: 9 << 20), "metadata.json")
        let large = #expect(throws: ArchiveError.self) { _ = try Archive(path: path) }
        #expect(large?.description.contains("larger than any archive needs") == true)
    }

    @Test func `a tile that is huge is refused and not read`() throws {
        try put("x", "0/0/0.pbf")
        #expect(truncate(path + "/0/0/0.pbf", 65 << 20) == 0)
        #expect(throws: ArchiveError.self) { _ = try tiles() }
    }

    @Test func `names that are no tiles are strays`() throws {
        try put("{\"name\": \"a\"}", "metadata.json")
        for name in [
            "1/0/0.pbf", "1/0/00.pbf", "1/0/+1.pbf", "1/0/2.pbf", "1/0/1.txt", "1/0/1",
            "1/02/0.pbf",
            "1/2/0.pbf", "01/0/0.pbf", "32/0/0.pbf", "1/x/0.pbf",
        ] { try put("t", name) }
        #expect(try tiles() == ["1/0/0": "t"])
        #expect(
            Set(try Archive(path: path).audit().strayKeys) == [
                "1/0/00.pbf", "1/0/+1.pbf", "1/0/2.pbf", "1/0/1.txt", "1/0/1", "1/02", "1/2", "1/x",
            ])
    }

    @Test func `a TileJSON will do for metadata`() throws {
        try put(
            """
            {"tilejson": "3.0.0", "tiles": ["{z}/{x}/{y}.pbf"], "name": "N", "minzoom": 1,
            "maxzoom": 2, "bounds": [1, 2, 3, 4], "center": [1.5, 2.5, 2],
            "vector_layers": [{"id": "a", "fields": {"n": "Number"}}], "scheme": "tms"}
            """, "tiles.json")
        try put("south", "1/0/0.mvt")
        let metadata = try Archive(path: path).metadata
        #expect(metadata.name == "N" && metadata.minZoom == 1 && metadata.maxZoom == 2)
        #expect(metadata.bounds == LonLatBox(west: 1, south: 2, east: 3, north: 4))
        #expect(metadata.centerZoom == 2 && metadata.vectorLayers.map(\.id) == ["a"])
        // Rows are counted from the south.
        #expect(try tiles() == ["1/0/1": "south"])
        var lookup = try Archive(path: path).openTiles()
        #expect(try lookup.tile(at: TileID(z: 1, x: 0, y: 1)) != nil)
        #expect(try lookup.tile(at: TileID(z: 1, x: 0, y: 0)) == nil)
    }

    @Test func `a TileJSON that tells of no layers lacks them`() throws {
        try put("t", "0/0/0.mvt")
        try put(#"{"name": "N", "minzoom": 0, "maxzoom": 0, "version": "3"}"#, "tiles.json")
        let archive = try Archive(path: path)
        #expect(archive.metadata.name == "N" && archive.metadata.format == "pbf")
        #expect(archive.warnings == [.missing(row: "json")])
    }

    @Test func `tiles alone are an archive without metadata, and other folders are none`() throws {
        try put("t", "0/0/0.png")
        let archive = try Archive(path: path)
        #expect(archive.metadata.format == "png" && archive.warnings == [.noMetadata])
        #expect(try tiles() == ["0/0/0": "t"])
        let empty = try TemporaryDirectory()
        let error = #expect(throws: ArchiveError.self) { _ = try Archive(path: empty.path) }
        #expect(error?.description.contains("neither metadata.json nor tiles.json") == true)
        #expect(!TileFolder.lies(at: empty.path) && !TileFolder.lies(at: path))
        try put("{}", "tiles.json")
        #expect(TileFolder.lies(at: path))
        // A recipe may have that name, too.
        let nothing: [UInt8] = []
        try File.write(nothing.span, toNew: "\(empty.path)/tiles.json")
        #expect(!TileFolder.lies(at: empty.path))
    }
}
