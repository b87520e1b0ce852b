import ArchiveContract
import ClusterQueries
import Conversion
import Geometry
import Inspection
import JSON
import SQLite
import Testing
import TileArchive

struct JoinTests {
    let files = try! BakedFiles()

    private func join(
        _ archives: [Archive], _ name: String, zooms: ClosedRange<Int> = 0...31
    ) throws -> (Archive, ConversionReport) {
        var options = ConversionOptions()
        options.selection = TileSelection(zooms: zooms)
        options.sink.folder.keepsGzip = true
        let path = files.file(name)
        let container = try #require(ArchiveContainers.container(named: path))
        let report = try ArchiveJoin(archives, to: path, in: container, options: options).run()
        return (try Archive(path: path), report)
    }

    @Test func `layers that are joined are what one build makes of both`() throws {
        // The first has ids, the second greater ones: the ids of all clusters move.
        let bars = try files.points("bars", count: 2_500, seed: 1, ids: 1..<2_501)
        let inns = try files.points("inns", count: 4_500, seed: 2, ids: 70_000..<74_501)
        let stops = try files.points("stops", count: 900, seed: 3)
        let tiles: JSONValue = ["maxZoom": 5]
        let parts = try [
            files.build("a.mbtiles", [("bars", bars)], tiles: tiles),
            files.build("b.mbtiles", [("inns", inns), ("stops", stops)], tiles: tiles),
        ]
        let whole = try files.build(
            "whole.mbtiles", [("bars", bars), ("inns", inns), ("stops", stops)], tiles: tiles)
        let (joined, report) = try join(parts, "joined.mbtiles")
        #expect(try Contents(of: joined) == Contents(of: whole))
        #expect(try joined.description?.get() == whole.description?.get())
        let (a, b) = (joined.metadata, whole.metadata)
        #expect(a.tilesHash == b.tilesHash && a.tileStats == b.tileStats)
        #expect(a.vectorLayers == b.vectorLayers && a.bounds == b.bounds)
        #expect(a.minZoom == b.minZoom && a.maxZoom == b.maxZoom && a.name == b.name)
        #expect(a.generatorOptions == b.generatorOptions)
        #expect(report.notes.isEmpty && report.rewrittenTiles > 0)
        #expect(try Verification(of: joined, threads: 2, isDeep: true).findings.all.isEmpty)
    }

    @Test func `zooms that are turned around are no range`() throws {
        let bars = try files.points("bars", count: 60, seed: 1, ids: 1..<61)
        let parts = try ["a.mbtiles", "b.mbtiles"].map { name in
            let archive = try files.build(name, [("bars", bars)], tiles: ["maxZoom": 3])
            try Database(path: archive.path, mode: .readWriteCreate).execute(
                """
                UPDATE metadata SET value = '3' WHERE name = 'minzoom';
                DELETE FROM metadata WHERE name = 'maxzoom';
                """)
            return try Archive(path: archive.path)
        }
        _ = try join(parts, "joined.mbtiles")
        try Database(path: parts[0].path, mode: .readWriteCreate).execute(
            "INSERT INTO metadata VALUES ('maxzoom', '1')")
        let turned = try Archive(path: parts[0].path)
        #expect(turned.metadata.minZoom == nil && turned.metadata.maxZoom == nil)
        #expect(turned.warnings.contains { $0.description.contains("maxzoom") })
    }

    @Test func `layers of one name become one, and all of their clusters can be asked about`()
        throws
    {
        let tiles: JSONValue = ["maxZoom": 4]
        let parts = try (0..<3).map { number in
            let points = try files.points(
                "p\(number)", count: 1_500 + 1_500 * number, seed: UInt64(number) + 4)
            let other = try files.points("o\(number)", count: 50, seed: UInt64(number) + 9)
            return try files.build(
                "\(number).mbtiles", [("points", points), ("only\(number)", other)], tiles: tiles)
        }
        let (joined, report) = try join(parts, "joined/")
        let description = try #require(try joined.description?.get())
        #expect(
            description.layers.map(\.name) == [
                "points", "points", "points", "only0", "only1", "only2",
            ])
        #expect(description.leafCount == 9_150)
        #expect(report.notes.contains { $0.contains("layer points is in several archives") })
        let findings = try Verification(of: joined, threads: 2).findings
        #expect(findings.all.isEmpty, "\(findings.all)")
        // The same points in the same number of clusters as in the parts.
        let rows = try Contents(of: joined).clusters
        #expect(rows.count == (try parts.reduce(0) { $0 + (try Contents(of: $1).clusters.count) }))
        var query = try ClusterQuery(joined)
        for case .cluster(let record) in rows where record.leafCount > 500 {
            let id = description.id(of: record)
            let leaves = try query.leaves(of: id)
            #expect(leaves.count == Int(record.leafCount))
            let children = try query.children(of: id).nodes
            #expect(children.reduce(0) { $0 + $1.leaves.count } == leaves.count)
        }
    }

    @Test func `what collides is refused with what to do, or told`() throws {
        let points = try files.points("p", count: 300, seed: 1, ids: 1..<301)
        let more = try files.points("m", count: 300, seed: 1, ids: 1..<301)
        let a = try files.build("a.mbtiles", [("points", points)], tiles: ["maxZoom": 3])
        let deep = try files.build("b.mbtiles", [("points", more)], tiles: ["maxZoom": 5])
        let wide = try files.build(
            "c.mbtiles", [("more", more)], tiles: ["maxZoom": 3, "buffer": 20])
        let thin = try files.build(
            "d.mbtiles", [("more", more)], tiles: ["maxZoom": 3, "variableDepth": true])
        let other = try files.build("e.mbtiles", [("more", more)], tiles: ["maxZoom": 5])
        let fine = try files.build(
            "g.mbtiles", [("points", more)], tiles: ["maxZoom": 3, "extent": 512])
        let bare = try files.build(
            "h.mbtiles", [("points", more)], tiles: ["maxZoom": 3, "leaves": false])
        let binned = try files.build(
            "i.mbtiles", [("points", more)], tiles: ["maxZoom": 3, "bins": "hexagon"])
        for (archives, words) in [
            ([a, binned], "layer points has bins in"), ([binned, a], "layer points has bins in"),
            ([a, fine], "layer points has different extents in"),
            ([a, bare], "layer points has a cluster index in"),
            ([bare, a], "layer points has a cluster index in"),
            ([a, deep], "layer points has zooms 0 to 3"), ([a, wide], "a buffer of"),
            ([a, thin], "--variable-depth"), ([a, a], "named twice"),
        ] {
            let error = #expect(throws: ConversionError.self) {
                _ = try join(archives, "x.mbtiles")
            }
            #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        }
        // Within zooms that both have, it can be done; and points that share ids are told of.
        _ = try join([a, deep], "w.mbtiles", zooms: 0...2)
        let same = try files.build("f.mbtiles", [("points", more)], tiles: ["maxZoom": 3])
        let (_, report) = try join([a, same], "y.mbtiles")
        #expect(report.notes.contains { $0.contains("has the id of another's") })
        let (beside, zooms) = try join([a, other], "z.mbtiles")
        #expect(zooms.notes.contains { $0.contains("ends at zoom 3") })
        #expect(beside.metadata.vectorLayers.map(\.maxZoom) == [3, 5])
    }

    @Test func `a layer may not be called as one that is made of another`() throws {
        let points = try files.points("p", count: 300, seed: 1, ids: 1..<301)
        let binned = try files.build(
            "i.mbtiles", [("points", points)], tiles: ["maxZoom": 3, "bins": "hexagon"])
        let namesake = try files.build(
            "j.mbtiles", [("points_bins", points)], tiles: ["maxZoom": 3])
        for archives in [[binned, namesake], [namesake, binned]] {
            let error = #expect(throws: ConversionError.self) {
                _ = try join(archives, "x.mbtiles")
            }
            #expect(
                error?.description.contains("the name of a companion of layer points in") == true,
                "\(String(describing: error))")
        }
    }

    @Test func `a layer of which no zoom is left is missed at none`() throws {
        let parts = try [(2, 4), (0, 6), (5, 6)].enumerated().map { number, zooms in
            let points = try files.points("p\(number)", count: 300, seed: UInt64(number) + 1)
            return try files.build(
                "\(number).mbtiles", [("layer\(number)", points)],
                tiles: [
                    "minZoom": .integer(Int64(zooms.0)), "maxZoom": .integer(Int64(zooms.1)),
                ])
        }
        let (cut, _) = try files.convert(parts[0], "cut.mbtiles") {
            $0.selection = TileSelection(zooms: 3...4)
        }
        let (joined, _) = try join(parts, "joined.mbtiles")
        let (other, _) = try join([cut, parts[1], parts[2]], "other.mbtiles")
        let (shallow, _) = try files.convert(other, "shallow.mbtiles") {
            $0.selection = TileSelection(zooms: 0...2)
        }
        #expect(shallow.metadata.vectorLayers.map(\.id) == ["layer1"])
        #expect(try Verification(of: shallow, threads: 2).findings.all.isEmpty)
        for (zooms, layers) in [
            (0...1, ["layer1"]), (0...4, ["layer0", "layer1"]), (5...6, ["layer1", "layer2"]),
        ] {
            let (part, _) = try files.convert(joined, "part\(zooms.lowerBound).pmtiles") {
                $0.selection = TileSelection(zooms: zooms)
                $0.sink.replacesExisting = true
            }
            #expect(part.metadata.vectorLayers.map(\.id) == layers)
            let findings = try Verification(of: part, threads: 2).findings.all
            #expect(findings.isEmpty, "\(findings)")
        }
        // What is left out of its own zooms is missed.
        let names = joined.metadata.vectorLayers.filter { $0.id != "layer0" }
        let stats = try #require(joined.metadata.tileStats)
        let said: JSONValue = ["vector_layers": .array(names.map(\.json)), "tilestats": stats]
        let writer = try Database(path: joined.path, mode: .readWriteCreate)
        try writer.execute("UPDATE metadata SET value = '\(said.text())' WHERE name = 'json'")
        let codes = try Verification(of: Archive(path: joined.path), threads: 2).findings.all.map(
            \.code)
        #expect(codes.contains("vector-layers") && codes.contains("sums"))
    }

    @Test func `an empty layer of an archive without an index is in no tile, and is not listed`()
        throws
    {
        let bars = try files.points("bars", count: 100, seed: 1)
        let inns = try files.points("inns", count: 100, seed: 2)
        let built = try files.build("a.mbtiles", [("bars", bars)], tiles: ["maxZoom": 3])
        let bare = try files.build(
            "b.mbtiles", [("inns", inns)], tiles: ["maxZoom": 3, "leaves": false])
        var covey = try #require(bare.metadata.covey?.asObject)
        var layers = try #require(covey["layers"]?.asArray)
        var empty = try #require(layers[0].asObject)
        (empty["name"], empty["first"]) = ("none", 100)
        (empty["leaves"], empty["clusters"]) = (0, 0)
        layers.append(.object(empty))
        covey["layers"] = .array(layers)
        let names = bare.metadata.vectorLayers.map(\.json) + [["id": "none", "fields": [:]]]
        let said: JSONValue = ["vector_layers": .array(names)]
        try Database(path: bare.path, mode: .readWriteCreate).execute(
            "UPDATE metadata SET value = '\(said.text())' WHERE name = 'json';"
                + "UPDATE metadata SET value = '\(JSONValue.object(covey).text())' WHERE name = 'covey'"
        )
        let source = try Archive(path: bare.path)
        #expect(
            try Verification(of: source, threads: 1).findings.all.map(\.code) == ["vector-layers"])
        let (joined, _) = try join([built, source], "joined.mbtiles")
        #expect(joined.metadata.vectorLayers.map(\.id) == ["bars", "inns"])
        let findings = try Verification(of: joined, threads: 1).findings.all
        #expect(findings.isEmpty, "\(findings)")
    }

    @Test func `rules that differ between layers of one name are told, and others are not`() throws
    {
        let points = try files.points("p", count: 100, seed: 1, ids: 1..<101)
        let more = try files.points("m", count: 100, seed: 2, ids: 201..<301)
        let rules: [JSONObject] = [[:], ["radius": 20], ["maxZoom": 1], ["minPoints": 4]]
        let first = try files.build("r.mbtiles", [("points", points)], tiles: ["maxZoom": 3])
        for (number, clusters) in rules.enumerated() {
            let second = try files.build(
                "r\(number).mbtiles", [("points", more)], tiles: ["maxZoom": 3],
                clusters: clusters)
            let notes = try join([first, second], "both\(number).mbtiles").1.notes
            #expect(notes.contains { $0.contains("clustered apart") })
            #expect(notes.contains { $0.contains("different rules") } == (number > 0))
            #expect(!notes.contains { $0.contains("has the id of another's") })
        }
    }
}
