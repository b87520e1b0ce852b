import Inspection
import SQLite
import Testing

/// Findings as they are told: how bad, how often, in which words and where, of damage to an archive of a
/// hundred points whose clusters are known.
struct SentenceTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let sql: String
        let lines: [String]
        var kind = ArchiveKind.single
        var isDeep = false

        var testDescription: String { sql }
    }

    private static func replace(_ row: String, _ old: String, _ new: String) -> String {
        "UPDATE metadata SET value = replace(value, '\(old)', '\(new)') WHERE name = '\(row)'"
    }

    private static func sums(_ found: Int, of wanted: Int) -> String {
        let zooms = (0...4).map { "zoom \($0), points: \(found) of \(wanted)" }
        return "error sums 5: a zoom does not show all points of a layer, each once "
            + "[\(zooms.joined(separator: "; "))]"
    }

    private static func unlike(_ zooms: Int...) -> String {
        "error index \(zooms.count): a zoom does not show the points and clusters that the index has "
            + "[\(zooms.map { "zoom \($0)" }.joined(separator: "; "))]"
    }

    private static let lost =
        "error id-index 1: ids do not lead to their clusters [the index of ids]"
    private static let short =
        "error leaf-blocks 1: the leaf blocks end with point 0, but the layers have 100"

    private static let container: [Case] = [
        Case(
            sql: "PRAGMA application_id = 7",
            lines: [
                "warning application-id 1: the application id is that of another format [0x7]"
            ]),
        Case(
            sql: """
                INSERT INTO tiles SELECT 4, 16, tile_row, tile_data FROM tiles WHERE zoom_level = 0;
                INSERT INTO tiles SELECT 32, 1, 1, tile_data FROM tiles WHERE zoom_level = 0
                """,
            lines: ["error key-range 2: a row names a tile that does not exist [4,16,0; 32,1,1]"]),
        Case(
            sql:
                "DROP INDEX tile_index; INSERT INTO tiles SELECT * FROM tiles WHERE zoom_level = 0",
            lines: [
                "error spacing 1: two nodes lie nearer to each other than the radius (one pair a column) "
                    + "[0/0/0 in points]",
                "error duplicate-tile 1: a tile is stored more than once [0/0/0]",
                "error sums 1: a zoom does not show all points of a layer, each once "
                    + "[zoom 0, points: 200 of 100]", unlike(0),
                "warning no-index 1: the tiles have no index on zoom_level, tile_column, tile_row: "
                    + "each look-up reads all",
            ]),
        Case(
            sql: "DELETE FROM tiles",
            lines: [
                "error vector-layers 1: vector_layers lists a layer that no tile has [points]",
                sums(0, of: 100), "warning no-tiles 1: the archive has no tiles",
            ]),
        Case(
            sql: replace("covey", #""leaves":100"#, #""leaves":101"#),
            lines: [
                sums(100, of: 101),
                "error block-index 1: cluster blocks cannot be read "
                    + "[the overview and the layers have different point counts]",
            ]),
        Case(
            sql: replace("covey", #""buffer":8"#, #""buffer":16"#),
            lines: [
                "error missing-tile 3: a tile is missing: its neighbours' points reach into its margin "
                    + "[1/0/0; 2/1/1; 3/4/5]",
                "error copies 4: a tile's margin is not what its neighbours hold there "
                    + "[2/1/2; 2/2/2; 4/7/6; 4/8/6]",
            ]),
        Case(
            sql: replace("covey", #""clusters":"#, #""clusters":1"#),
            lines: [
                "error cluster-count 3: the index does not have as many clusters as the archive says "
                    + "[points: 29, not 129; others: 39, not 139; plain: 0, not 10]"
            ], kind: .layers),
    ]

    private static let index: [Case] = [
        Case(
            sql: "UPDATE covey_clusters SET y = y - 100000000",
            lines: [
                lost, unlike(0, 1, 2, 3),
                "error missing-tile 4: a tile is missing: the index has a cluster in it "
                    + "[1/0/0; 2/1/1; 3/3/3; 3/4/2]",
            ]),
        Case(
            sql: "UPDATE covey_clusters SET x = x + 1000",
            lines: [
                "error positions 1: a zoom shows points or clusters where the index has none [zoom 3]"
            ]),
        Case(
            sql: "UPDATE covey_clusters SET shift = 'x'",
            lines: [
                "error cluster-row 29: a row of the cluster index makes no sense "
                    + "[row 0; row 2; row 3; row 195; row 483]",
                "error cluster-count 1: the index does not have as many clusters as the archive says "
                    + "[points: 0, not 29]",
                "error id-index 1: there are 29 ids for 0 clusters [the index of ids]",
                unlike(0, 1, 2, 3),
            ]),
        Case(
            sql: "UPDATE covey_leaf_blocks SET block = 3",
            lines: [
                "error leaf-blocks 3: a leaf block is missing [block 0]",
                "error leaf-blocks 1: the leaf blocks end with point 12100, but the layers have 100",
                unlike(3, 4),
            ]),
        Case(
            sql: "UPDATE covey_leaf_blocks SET block = 4611686018427387904",
            lines: [
                "error leaf-blocks 1: a leaf block has an impossible number [4611686018427387904]",
                short, unlike(3, 4),
            ]),
        Case(
            sql: "UPDATE covey_leaf_blocks SET data = x'1f8b00'",
            lines: [
                "error leaf-blocks 1: a leaf block is damaged "
                    + "[block 0: the compressed data ends early, after 3 bytes]", short,
                unlike(3, 4),
            ]),
    ]

    /// What a deep look alone finds, by the place at which it is wrong.
    private static func deep(
        _ sql: String, _ code: String, _ words: String, _ places: String...,
        of kind: ArchiveKind = .single
    ) -> Case {
        let line = "error \(code) \(places.count): \(words) [\(places.joined(separator: "; "))]"
        return Case(sql: sql, lines: [line], kind: kind, isDeep: true)
    }

    private static func stats(_ old: String, _ new: String, _ places: String) -> Case {
        Case(
            sql: replace("json", old, new),
            lines: [
                "error tilestats \(places.split(separator: ";").count): tilestats are not those of the "
                    + "points and clusters [\(places)]"
            ], isDeep: true)
    }

    private static let asked =
        "what the archive says of its clusters is not what its recipe asks for"

    private static let hidden: [Case] = [
        deep(
            replace("covey", #""wrap":true"#, #""wrap":false"#), "recipe", asked, "points.wrap",
            "others.wrap", of: .layers),
        deep(
            replace("covey", #""values":["below 3""#, #""values":["under 3""#), "facets",
            "the values of a facet are not those of the points", "points n:3,6"),
        deep(
            "UPDATE metadata SET value = '{}' WHERE name = 'generator_options'", "recipe",
            "generator_options is no recipe", #""layers" is missing at top level"#),
        stats(#""attribute":"n","count":9"#, #""attribute":"n","count":8"#, "points.n.count"),
        stats(#""min":1,"max":9"#, #""min":1,"max":8"#, "points.n.max"),
        stats(#""min":1,"max":9"#, #""min":2,"max":9"#, "points.n.min"),
        stats(
            #""values":["bar"#, #""values":["pub"#, "points.common.values; points.kind.values"),
        stats(
            #""count":3,"type":"string""#, #""count":3,"type":"number""#,
            "points.common.type; points.day:month.type; points.kind.type"),
        stats(#""layerCount":1"#, #""layerCount":2"#, "layerCount"),
        stats(#"{"layer":"points""#, #"{"layer":"pints""#, "points.layer"),
        stats(#""geometry":"Point""#, #""geometry":"Line""#, "points.geometry"),
        stats(#""attributeCount":"#, #""attributeCount":1"#, "points.attributeCount"),
        stats(
            #""attribute":"n""#, #""attribute":"m""#,
            "points.m.type; points.m.count; points.m.values; points.n"),
        Case(
            sql: """
                DROP TABLE covey_clusters; DROP TABLE covey_leaf_blocks; DROP TABLE covey_cluster_ids
                """,
            lines: [
                "error recipe 1: \(asked) [leaves]",
                "warning no-leaves 1: the archive keeps no points beside its tiles: attributes are not "
                    + "checked",
            ], isDeep: true),
    ]

    @Test(arguments: container + index + hidden)
    func `a finding says what, how often and where first`(damage: Case) throws {
        let built = try BuiltArchive(damage.kind)
        try built.change(damage.sql)
        let lines = try built.findings(deep: damage.isDeep).map { finding in
            let places = finding.locations.joined(separator: "; ")
            return
                "\(finding.severity.rawValue) \(finding.code) \(finding.count): \(finding.message)"
                + (places.isEmpty ? "" : " [\(places)]")
        }
        #expect(lines == damage.lines)
    }
}
