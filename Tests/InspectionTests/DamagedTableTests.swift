import Foundation
import Inspection
import SQLite
import Testing

/// Damage done to an archive's tables and metadata, and exactly what is found of it.
struct DamagedTableTests {
    struct Damage: Sendable, CustomTestStringConvertible {
        let kind: ArchiveKind
        let sql: String
        let codes: Set<String>
        var isDeep = false

        var testDescription: String { "\(kind): \(sql)" }
    }

    private static func all(_ sql: String, _ codes: Set<String>) -> [Damage] {
        ArchiveKind.usual.map { Damage(kind: $0, sql: sql, codes: codes) }
    }

    private static func one(
        _ sql: String, _ codes: Set<String>, of kind: ArchiveKind = .single
    ) -> [Damage] {
        [Damage(kind: kind, sql: sql, codes: codes)]
    }

    private static func deep(
        _ sql: String, _ codes: Set<String>, of kind: ArchiveKind = .single
    ) -> [Damage] {
        [Damage(kind: kind, sql: sql, codes: codes, isDeep: true)]
    }

    /// Replaces text in a row of the metadata.
    private static func replace(_ row: String, _ old: String, _ new: String) -> String {
        "UPDATE metadata SET value = replace(value, '\(old)', '\(new)') WHERE name = '\(row)'"
    }

    private static func set(_ row: String, _ value: String) -> String {
        "UPDATE metadata SET value = '\(value)' WHERE name = '\(row)'"
    }

    static let container: [Damage] =
        one("PRAGMA application_id = 7", ["application-id"])
        + one("DROP INDEX tile_index", ["no-index"])
        + one("DELETE FROM metadata WHERE name = 'name'", ["missing-row"])
        + one(
            """
            CREATE TABLE copy AS SELECT * FROM metadata; DROP TABLE metadata;
            ALTER TABLE copy RENAME TO metadata; INSERT INTO metadata VALUES ('name', 'again')
            """, ["repeated-row"])
        + one(set("bounds", "nonsense"), ["garbled-row", "bounds"])
        + one("DELETE FROM metadata WHERE name = 'bounds'", ["bounds"])
        + one(set("format", "png"), ["format"])
        + all(
            """
            INSERT INTO tiles SELECT 4, 16, tile_row, tile_data FROM tiles WHERE zoom_level = 0;
            INSERT INTO tiles SELECT 4, 1, -1, tile_data FROM tiles WHERE zoom_level = 0;
            INSERT INTO tiles SELECT 32, 1, 1, tile_data FROM tiles WHERE zoom_level = 0;
            INSERT INTO tiles SELECT 'x', 1, 1, tile_data FROM tiles WHERE zoom_level = 0
            """, ["key-range"])
        + one(
            "DROP INDEX tile_index; INSERT INTO tiles SELECT * FROM tiles WHERE zoom_level = 0",
            ["no-index", "duplicate-tile", "sums", "index", "spacing"])
        + one("DELETE FROM tiles", ["no-tiles", "vector-layers", "sums"])

    static let metadata: [Damage] =
        one(set("minzoom", "1"), ["zooms"]) + one(set("minzoom", "1"), ["zooms"], of: .layers)
        // Its center is at zoom 0.
        + one(set("minzoom", "1"), ["zooms", "center"], of: .wrapped)
        + all(set("maxzoom", "5"), ["zooms"])
        + all(set("bounds", "-1,-1,1,1"), ["bounds", "center"])
        + one(set("bounds", "-180,-85.0511,180,85.0511"), ["bounds"])
        + all(set("center", "-120,80,2"), ["center"])
        + all(
            "UPDATE metadata SET value = substr(value, 1, length(value) - 1) || '9' "
                + "WHERE name = 'center'", ["center"])
        + one(replace("json", #""id":"points""#, #""id":"x""#), ["vector-layers"])
        + one(replace("json", #""n":"Number","#, ""), ["fields"])
        + one(replace("json", #""n":"Number""#, #""n":"String""#), ["field-type"])
        + one(replace("json", #""n":"Number""#, #""n":"Number","other":"Number""#), ["fields"])

    /// What is found of an index whose columns hold something else than whole numbers.
    private static let lost: Set = ["index", "id-index", "missing-tile"]
    private static let notNumbers: Set = ["cluster-count", "cluster-row", "id-index", "index"]

    static let index: [Damage] =
        all("DELETE FROM metadata WHERE name = 'covey'", ["covey-row"])
        + one(set("covey", "{}"), ["covey-row"])
        + one(replace("covey", #""buffer":8"#, #""buffer":1e300"#), ["covey-row"])
        + one(replace("covey", #""buffer":8"#, #""buffer":16"#), ["copies", "missing-tile"])
        + one(replace("covey", #""buffer":8"#, #""buffer":16"#), ["copies"], of: .layers)
        + one(replace("covey", #""buffer":8"#, #""buffer":7"#), ["copies"], of: .groups)
        + one(replace("covey", #""leaves":100"#, #""leaves":101"#), ["sums", "block-index"])
        + all(replace("covey", #""clusters":"#, #""clusters":1"#), ["cluster-count"])
        + one(
            replace(
                "covey", #""first":100,"leaves":100,"clusters":"#,
                #""first":100,"leaves":100,"clusters":9"#), ["cluster-count"], of: .layers)
        // A row's id follows from its position: one that moves is that of another cluster.
        + all("UPDATE covey_clusters SET x = x + 2000000", ["index", "id-index"])
        + all("UPDATE covey_clusters SET y = y + 2000000", ["index", "id-index"])
        + one("UPDATE covey_clusters SET x = x + 1000", ["positions"])
        + all("UPDATE covey_clusters SET shift = 1", ["index", "id-index"])
        + one("UPDATE covey_clusters SET shift = 'x'", notNumbers)
        + one("UPDATE covey_clusters SET leaves = leaves + 0.5", notNumbers)
        + one("UPDATE covey_clusters SET y = y + 0.25", notNumbers)
        + one("UPDATE covey_clusters SET up = x'31'", notNumbers)
        + all("DROP TABLE covey_cluster_ids", ["cluster-tables"])
        + all("DELETE FROM covey_cluster_ids", ["id-index"])
        + all("UPDATE covey_cluster_ids SET first = first + 1", ["id-index"])
        + all("UPDATE covey_cluster_ids SET data = x'1f8b00'", ["id-index"])
        + all("DELETE FROM covey_leaf_blocks", ["leaf-blocks", "index"])
        + one("UPDATE covey_leaf_blocks SET block = 1", ["leaf-blocks", "index"])
        + one("UPDATE covey_leaf_blocks SET block = 4611686018427387904", ["leaf-blocks", "index"])
        + one("UPDATE covey_leaf_blocks SET data = x'1f8b00'", ["leaf-blocks", "index"])
        + all(
            "UPDATE covey_clusters SET x = 4611686018427387904",
            ["cluster-row", "cluster-count", "index", "id-index"])
        + all("UPDATE covey_clusters SET x = x + 100000000", lost)
        + all("UPDATE covey_clusters SET y = y - 100000000", lost)

    @Test(arguments: container + metadata + index)
    func `damage to a table is found, and nothing else`(damage: Damage) throws {
        let built = try BuiltArchive(damage.kind)
        try built.change(damage.sql)
        let codes = try built.codes(deep: damage.isDeep)
        #expect(codes == damage.codes)
    }

    static let hidden: [Damage] =
        deep("UPDATE covey_leaf_blocks SET hull = x''", ["hull"])
        + deep("UPDATE covey_leaf_blocks SET hull = substr(hull, 1, 16)", ["hull"])
        + deep("UPDATE covey_leaf_blocks SET hull = x'00'", ["hull"], of: .wrapped)
        + deep(replace("covey", #""radius":60"#, #""radius":59"#), ["recipe"])
        + deep(replace("covey", #""minPoints":2"#, #""minPoints":3"#), ["recipe"])
        + deep(replace("covey", #""algorithm":"spaced""#, #""algorithm":"greedy""#), ["recipe"])
        + deep(replace("covey", #""wrap":true"#, #""wrap":false"#), ["recipe"], of: .layers)
        + deep(replace("covey", #""values":["below 3""#, #""values":["under 3""#), ["facets"])
        + deep(replace("generator_options", "Europe/Zurich", "UTC"), ["facets", "labels"])
        + deep(replace("covey", #""groups":1"#, #""groups":2"#), ["recipe"])
        + deep(
            replace("covey", #""minZoom":0"#, #""minZoom":1"#), ["recipe", "hierarchy", "index"])
        + deep(replace("covey", #""extent":4096"#, #""extent":8192"#), ["recipe", "extent"])
        + deep(set("generator_options", "{}"), ["recipe"])
        + deep("DELETE FROM metadata WHERE name = 'generator_options'", ["recipe"])
        + deep(
            replace("json", #""attribute":"n","count":9"#, #""attribute":"n","count":8"#),
            ["tilestats"])
        + deep(replace("json", #""min":1,"max":9"#, #""min":1,"max":8"#), ["tilestats"])
        + deep(replace("json", #""min":1,"max":9"#, #""min":2,"max":9"#), ["tilestats"])
        + deep(replace("json", #""values":["bar"#, #""values":["pub"#), ["tilestats"])
        + deep(
            replace("json", #""count":3,"type":"string""#, #""count":3,"type":"number""#),
            ["tilestats"])
        + deep(replace("json", #""layerCount":1"#, #""layerCount":2"#), ["tilestats"])
        + deep(
            replace("json", #""geometry":"Point""#, #""geometry":"Line""#), ["tilestats"],
            of: .groups)
        + deep(
            replace("json", #"{"layer":"points""#, #"{"layer":"pints""#), ["tilestats"], of: .layers
        )
        + deep(
            """
            DROP TABLE covey_clusters; DROP TABLE covey_leaf_blocks; DROP TABLE covey_cluster_ids
            """, ["no-leaves", "recipe"], of: .layers)

    @Test(arguments: hidden)
    func `only a deep look finds what the archive says wrongly of itself`(damage: Damage) throws {
        let built = try BuiltArchive(damage.kind)
        try built.change(damage.sql)
        #expect(try built.codes(deep: true) == damage.codes)
        #expect(
            try built.codes()
                == damage.codes.intersection(["hierarchy", "index", "hull", "extent"]))
    }

    /// A degree is 1/360 of the world: the first is within what a position is rounded by.
    @Test(arguments: [(0.0, 0.0001, true), (0, 0.0012, false), (0.0018, 0, false)])
    func `bounds of one place may be a point, and no larger than that`(
        east: Double, north: Double, isRight: Bool
    ) throws {
        let built = try BuiltArchive(.lone)
        #expect(try built.codes() == [])
        let bounds = try #require(try built.archive.metadata.bounds)
        let west = (bounds.west + bounds.east) / 2
        let south = (bounds.south + bounds.north) / 2
        try built.change(
            "UPDATE metadata SET value = '\(west),\(south),\(west + east),\(south + north)' "
                + "WHERE name = 'bounds'")
        // The center was inside of wider bounds.
        let codes = try built.codes().subtracting(["center"])
        #expect(codes == (isRight ? [] : ["bounds"]))
    }

    @Test(arguments: ArchiveKind.usual)
    func `tiles numbered from the north are known by the bounds`(kind: ArchiveKind) throws {
        let built = try BuiltArchive(kind)
        try built.change(
            "DROP INDEX tile_index; UPDATE tiles SET tile_row = (1 << zoom_level) - 1 - tile_row")
        var codes: Set = ["copies", "missing-tile", "no-index", "positions", "row-numbering"]
        // Of two layers some points come to lie beside others.
        if kind == .layers { codes.insert("spacing") }
        #expect(try built.codes() == codes)
    }

    @Test func `a position a world further east is the same`() throws {
        let built = try BuiltArchive(.single)
        try built.change("UPDATE covey_clusters SET x = x + 1073741824")
        #expect(try built.codes(deep: true) == [])
    }

    @Test func `errors come before warnings`() {
        #expect(Finding.Severity.error < .warning)
        #expect(!(Finding.Severity.warning < .error) && !(Finding.Severity.error < .error))
        #expect(!(Finding.Severity.warning < .warning))
    }

    @Test func `a changed tile does not have the hash`() throws {
        let built = try BuiltArchive(.single, keepsHash: true)
        try built.change("UPDATE metadata SET value = lower(value) WHERE name = 'agg_tiles_hash'")
        #expect(try built.codes() == [])
        try built.change(
            "UPDATE metadata SET value = '0' || substr(value, 2) WHERE name = 'agg_tiles_hash'")
        #expect(try built.codes() == ["hash"])
    }

    @Test func `a damaged page is found, whatever it held`() throws {
        let built = try BuiltArchive(.single)
        try built.makeOld()
        var page: Int64?
        do {
            let database = try Database(path: built.path, mode: .readOnly)
            page = try database.integer(
                "SELECT rootpage FROM sqlite_schema WHERE name = 'covey_leaf_blocks'")
        }
        let handle = try FileHandle(forUpdating: URL(filePath: built.path))
        try handle.seek(toOffset: (UInt64(try #require(page)) - 1) * pageSize(of: built.path))
        // The first byte says what kind of page it is: none is of this kind.
        try handle.write(contentsOf: [0x07])
        try handle.close()
        // SQLite says so, and the look at the blocks ends there.
        #expect(try built.codes() == ["integrity"])
    }

    private func pageSize(of path: String) throws -> UInt64 {
        let database = try Database(path: path, mode: .readOnly)
        return UInt64(try database.integer("PRAGMA page_size") ?? 4_096)
    }
}
