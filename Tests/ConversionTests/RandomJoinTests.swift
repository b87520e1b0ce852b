import ArchiveContract
import ClusterQueries
import Conversion
import Geometry
import JSON
import Testing
import TileArchive
import VectorTile

/// Joins of archives in each container, held against the build of all layers at once.
struct RandomJoinTests {
    let files = try! BakedFiles()

    private func join(_ archives: [Archive], _ name: String) throws -> (Archive, ConversionReport) {
        var options = ConversionOptions()
        options.sink.folder.keepsGzip = true
        let path = files.file(name)
        let container = try #require(ArchiveContainers.container(named: path))
        let report = try ArchiveJoin(archives, to: path, in: container, options: options).run()
        return (try Archive(path: path), report)
    }

    /// From each container into each: blocks of a few points, so that those of two archives meet within
    /// one; with and without what is said of parents.
    @Test(arguments: [
        ("mbtiles", "pmtiles", "pmtiles", true), ("pmtiles", "mbtiles", "mbtiles", false),
        ("pmtiles", "pmtiles", "mbtiles", true), ("pmtiles", "mbtiles", "pmtiles", false),
    ])
    func `a join is the build of both`(
        first: String, second: String, third: String, saysParent: Bool
    ) throws {
        let tiles: JSONValue = ["maxZoom": 4]
        let fields: JSONValue = saysParent ? ["parent", "parent_dx", "bbox"] : ["bbox"]
        let layers = try [
            ("bars", files.points("bars", count: 330, seed: 1, ids: 1..<331, text: 1_024)),
            ("inns", files.points("inns", count: 260, seed: 2, ids: 9_000..<9_260)),
            ("stops", files.points("stops", count: 150, seed: 3)),
        ]
        let a = try files.build("a.\(first)", [layers[0]], tiles: tiles, fields: fields)
        let b = try files.build(
            "b.\(second)", Array(layers[1...]), tiles: tiles, fields: fields)
        let whole = try files.build("whole.\(third)", layers, tiles: tiles, fields: fields)
        let (joined, report) = try join([a, b], "joined.\(third)")
        try Self.same(joined, whole)
        #expect(report.notes.isEmpty && report.leafBlocks > 2)
        let contents = try Contents(of: whole)
        #expect(report.clusters == contents.clusters.count)
        #expect(report.tiles == contents.tiles.count)
        // And in the other order, what a build in that order makes.
        let other = try files.build(
            "other.\(third)", [layers[1], layers[2], layers[0]], tiles: tiles, fields: fields)
        try Self.same(try join([b, a], "backwards.\(third)").0, other)
    }

    /// Clusters that come apart into hundreds of single points, over several blocks.
    private func wide(_ name: String, _ numbers: [Int], tiles: JSONValue) throws -> Archive {
        let layers = try numbers.map { number in
            (
                name: "layer\(number)",
                source: try files.points(
                    "wide\(number)", count: 1_300 + 500 * number, seed: UInt64(number) + 20,
                    text: 256, towns: 1 + number)
            )
        }
        return try files.build(
            name, layers, tiles: tiles, clusters: ["radius": ["0": 80, "4": 3], "maxZoom": 4])
    }

    @Test func `clusters of many single points have the same blocks however they are written`()
        throws
    {
        let tiles: JSONValue = ["maxZoom": 5]
        let built = try wide("built.pmtiles", [0, 1, 2], tiles: tiles)
        let database = try wide("built.mbtiles", [0, 1, 2], tiles: tiles)
        let expected = try Self.payloads(of: built)
        #expect(expected.count > 10)
        #expect(try Self.payloads(of: database) == expected)
        let (pair, _) = try files.convert(database, "pair.pmtiles")
        #expect(try Self.payloads(of: pair) == expected)
        let parts = [
            try wide("a.pmtiles", [0], tiles: tiles), try wide("b.mbtiles", [1, 2], tiles: tiles),
        ]
        let (joined, _) = try join(parts, "joined.pmtiles")
        #expect(try Self.payloads(of: joined) == expected)
        try Self.same(joined, built)
    }

    /// All that answers questions about clusters.
    private static func payloads(of archive: Archive) throws -> [[UInt8]] {
        let source = try #require(try archive.contents.clusterPayloads())
        let blocks = try #require(try archive.description?.get().blocks)
        return try (0...blocks.overview).map { try #require(try source.bytes(ofPayload: $0)) }
    }

    @Test func `whole blocks stay as they are packed`() throws {
        let parts = try [(1, 250), (9, 375)].enumerated().map { number, part in
            let points = try files.points(
                "n\(number)", count: part.1, seed: UInt64(number), text: 1_024)
            return try files.build(
                "n\(number).mbtiles", [("layer\(number)", points)],
                tiles: ["maxZoom": 2, "compression": .integer(Int64(part.0))])
        }
        let (joined, _) = try join(parts, "joined.mbtiles")
        let blocks = try parts.flatMap { try Contents(of: $0).blocks }
        #expect(blocks.count > 4)
        #expect(try Contents(of: joined).blocks == blocks)
    }

    private static func same(_ joined: Archive, _ whole: Archive) throws {
        let (a, b) = (try Contents(of: joined), try Contents(of: whole))
        #expect(a.tiles == b.tiles)
        #expect(a.clusters == b.clusters)
        #expect(a.blocks == b.blocks)
        #expect(try joined.description?.get() == whole.description?.get())
        let (said, expected) = (joined.metadata, whole.metadata)
        #expect(said.tileStats == expected.tileStats)
        #expect(said.vectorLayers == expected.vectorLayers && said.bounds == expected.bounds)
        #expect(said.generatorOptions == expected.generatorOptions)
    }

    @Test func `layers of one name have the features of both, and ids that can be asked about`()
        throws
    {
        let tiles: JSONValue = ["maxZoom": 4]
        let parts = try [(1, 300), (2, 420)].map { seed, count in
            let points = try files.points(
                "p\(seed)", count: count, seed: UInt64(seed),
                ids: seed * 1_000..<seed * 1_000 + count,
                text: 1_024)
            return try files.build(
                "\(seed).pmtiles", [("points", points)], tiles: tiles, fields: ["parent"])
        }
        let (joined, report) = try join(parts, "joined.pmtiles")
        #expect(report.notes.contains { $0.contains("clustered apart") })
        var query = try ClusterQuery(joined)
        let layers = query.description.layers
        #expect(layers.map(\.leaves) == [0..<300, 300..<720])
        for (part, layer) in zip(parts, layers) {
            var own = try ClusterQuery(part)
            let shift = layer.leaves.lowerBound
            for case .cluster(let record) in try Contents(of: part).clusters {
                let old = own.description.id(of: record)
                var moved = record
                moved.key.firstLeaf += shift
                let id = query.description.id(of: moved)
                let found = try query.leaves(of: id)
                let given = try own.leaves(of: old)
                #expect(found.map(\.id) == given.map(\.id))
                #expect(try query.hull(of: id) == own.hull(of: old))
                #expect(try query.box(of: id) == own.box(of: old))
                let children = try query.children(of: id).nodes.map(\.leaves.lowerBound)
                let expected = try own.children(of: old).nodes.map { $0.leaves.lowerBound + shift }
                #expect(children == expected)
                let (above, before) = (try query.parent(of: id), try own.parent(of: old))
                #expect(above?.key.firstLeaf == before.map { $0.key.firstLeaf + shift })
                #expect(above?.key.zoom == before?.key.zoom)
            }
        }
        try checkFeatures(of: joined, parts)
    }

    /// That each feature of a part is in the joined tile, with the id and parent of its cluster there.
    private func checkFeatures(of joined: Archive, _ parts: [Archive]) throws {
        var lookup = try joined.openTiles()
        var count = 0
        for tile in try Contents(of: joined).tiles.keys {
            let bytes = try lookup.inflatedTile(at: tile, limit: 1 << 24) ?? []
            let all = try Self.features(bytes)
            var expected: [[String: String]] = []
            for (index, part) in parts.enumerated() {
                var own = try part.openTiles()
                // The layer's number is all that changes in an id.
                let move = Int64(index) << 47
                let bytes = try own.inflatedTile(at: tile, limit: 1 << 24) ?? []
                expected += try Self.features(bytes).map { feature in
                    var feature = feature
                    guard feature["cluster"] != nil else { return feature }
                    for name in ["id", "cluster_id", "parent"] {
                        feature[name] = feature[name].flatMap { Int64($0) }.map { "\($0 + move)" }
                    }
                    return feature
                }
            }
            #expect(all == expected, "\(tile)")
            count += all.count
        }
        #expect(count > 800)
    }

    /// What each feature carries, and its id.
    private static func features(_ bytes: [UInt8]) throws -> [[String: String]] {
        var features: [[String: String]] = []
        var tile = try TileReader(bytes.span)
        while let layer = try tile.nextLayer() {
            var reader = layer.features()
            while let feature = try reader.next() {
                var carried = ["id": feature.id.map(String.init) ?? ""]
                if let point = feature.point { carried["place"] = "\(point.x) \(point.y)" }
                var tags = feature.tags()
                while let tag = try tags.next() {
                    carried[layer.key(at: tag.key)] = layer.value(at: tag.value).value.json.text()
                }
                features.append(carried)
            }
        }
        return features
    }
}
