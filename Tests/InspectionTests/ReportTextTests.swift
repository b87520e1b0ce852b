import Compression
import Foundation
import Geometry
import Inspection
import JSON
import MessageTiles
import Testing
import TileArchive
import VectorTile

/// Reports of a few tiles that are made by hand, number by number.
final class ReportTextTests {
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "covey-report-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private typealias Feature = MessageTiles.Tile.Feature
    private typealias Tag = MessageTiles.Tile.Tag

    private static func point(
        _ x: Int32, _ y: Int32, id: UInt64? = nil, _ tags: [Tag] = []
    ) -> Feature {
        Feature(id: id, .points([.init(x: x, y: y)]), tags: tags)
    }

    private static func cluster(_ x: Int32, _ points: UInt64, id: UInt64) -> Feature {
        point(
            x, 9, id: id,
            [
                Tag("cluster", .bool(true)), Tag("point_count", .uint(points)),
                Tag("n", .string("a")),
            ])
    }

    private static let line = Feature(.lines([[.init(x: 1, y: 1), .init(x: 9, y: 9)]]))

    private static let tiles: [(TileID, [UInt8])] = [
        (
            TileID(z: 1, x: 0, y: 1),
            MessageTiles.Tile(layers: [
                .init(
                    name: "p", extent: 512,
                    features: [cluster(5, 7, id: 40), cluster(600, 3, id: 41), point(1, 1)]),
                .init(name: "q", features: [line]),
            ]).packed()
        ),
        (
            TileID(z: 3, x: 2, y: 5),
            MessageTiles.Tile(layers: [
                .init(
                    name: "p", version: 1,
                    features: [point(5, 5, [Tag("n", .uint(3))]), point(-1, 5), point(7, 4_096)])
            ]).packed()
        ),
        (TileID(z: 3, x: 3, y: 5), [0x1A, 9]),
    ]

    private func archive(_ name: String, _ tiles: [(TileID, [UInt8])]) throws -> Archive {
        let path = folder.appending(path: name).path
        let writer = try MBTilesWriter(to: path)
        for (tile, bytes) in tiles { try writer.write(tile, gzip: bytes.span) }
        var metadata = ArchiveMetadata(name: "hand")
        (metadata.minZoom, metadata.maxZoom) = (1, 3)
        try writer.finish(metadata)
        return try Archive(path: path)
    }

    @Test func `a survey tells of zooms, layers and attributes`() throws {
        let archive = try archive("a.mbtiles", Self.tiles)
        let survey = try Survey(of: archive, threads: 1)
        let sizes = Self.tiles.map(\.1.count)
        let zooms = """
            [{"zoom":1,"tiles":1,"tile_bytes":\(sizes[0]),"inflated_bytes":\(sizes[0]),\
            "smallest_tile":{"tile":"1/0/1","bytes":\(sizes[0])},"average_tile_bytes":\(sizes[0]),\
            "largest_tile":{"tile":"1/0/1","bytes":\(sizes[0])},"features":4,"margin_copies":1,\
            "clusters":1,"single_points":1,"point_count":8,\
            "largest_cluster":{"id":40,"point_count":7,"tile":"1/0/1"}},\
            {"zoom":3,"tiles":2,"tile_bytes":\(sizes[1] + 2),"inflated_bytes":\(sizes[1] + 2),\
            "smallest_tile":{"tile":"3/3/5","bytes":2},"average_tile_bytes":\((sizes[1] + 2) / 2),\
            "largest_tile":{"tile":"3/2/5","bytes":\(sizes[1])},"features":3,"margin_copies":2,\
            "clusters":0,"single_points":1,"point_count":1,"unreadable_tiles":1}]
            """
        #expect(survey.json.asObject?["zooms"]?.text() == zooms)
        let layers = try #require(survey.json.asObject?["layers"]?.asArray)
        let heads = layers.map { layer in
            var head = layer.asObject ?? JSONObject()
            for key in head.members.map(\.key) where key.hasSuffix("_bytes") { head[key] = nil }
            head["attributes"] = nil
            return JSONValue.object(head).text()
        }
        #expect(
            heads == [
                #"{"name":"p","min_zoom":1,"max_zoom":3,"version":2,"extent":4096,"tiles":2,"features":6,"#
                    + #""features_by_type":{"Point":6},"skipped_features":0,"cluster_features":1}"#,
                #"{"name":"q","min_zoom":1,"max_zoom":1,"version":2,"extent":4096,"tiles":1,"features":1,"#
                    + #""features_by_type":{"LineString":1},"skipped_features":0,"cluster_features":0}"#,
            ])
        let attributes = try #require(layers[0].asObject?["attributes"]).text()
        // A flag and a number take two bytes of values each, and a text of a letter three.
        #expect(
            attributes == """
                [{"name":"cluster","type":"Boolean","features":2,"key_bytes":7,"value_bytes":2,\
                "tag_bytes":4},{"name":"point_count","type":"Number","features":2,"key_bytes":11,\
                "value_bytes":4,"tag_bytes":4},{"name":"n","type":"Number|String","features":3,\
                "key_bytes":2,"value_bytes":5,"tag_bytes":6}]
                """)
    }

    @Test func `a summary tells of the file before its tiles`() throws {
        let archive = try archive("a.mbtiles", Self.tiles)
        let json = try archive.summary(with: Survey(of: archive, threads: 1))
        let object = try #require(json.asObject)
        #expect(
            object.members.map(\.key) == [
                "file", "file_bytes", "container", "layout", "cluster_index", "metadata",
                "warnings", "tiles", "tile_bytes", "zooms", "layers",
            ])
        let size = try Data(contentsOf: URL(filePath: archive.path)).count
        #expect(
            object["file"] == .string(archive.path) && object["file_bytes"] == .integer(Int64(size))
        )
        #expect(object["container"] == "mbtiles" && object["tiles"] == 3)
        #expect(object["cluster_index"] == false)
        let metadata = try #require(object["metadata"]?.asObject)
        #expect(metadata["minzoom"] == "1" && metadata["maxzoom"] == "3")
    }

    @Test func `a tile's report tells how it is stored and what is wrong`() throws {
        let bytes = Self.tiles[0].1
        var gzip = GzipCompressor(level: 6)
        let packed = gzip.compress(bytes.span)
        for (stored, tile) in [(bytes, nil), (packed, TileID(z: 1, x: 0, y: 1))]
            as [([UInt8], TileID?)]
        {
            let object = try #require(TileReport(of: stored, tile: tile).json.asObject)
            #expect(object["tile"] == tile.map { .string($0.description) })
            #expect(object["bytes"] == .integer(Int64(stored.count)))
            #expect(object["gzip"] == .bool(tile != nil))
            #expect(object["inflated_bytes"] == .integer(Int64(bytes.count)))
            #expect(object["layers"]?.asArray?.count == 2 && object["left_out"] == [])
            #expect(object["protobuf_c"] == nil && object["fault"] == nil)
        }
        let torn = TileReport(of: [0x1F, 0x8B, 8], tile: nil)
        let object = try #require(torn.json.asObject)
        #expect(object["inflated_bytes"] == 0 && object["gzip"] == true && torn.inflated == [])
        #expect(object["fault"] == "the compressed data ends early, after 3 bytes")
        let cut = try #require(TileReport(of: Self.tiles[2].1, tile: nil).json.asObject)
        #expect(cut["gzip"] == false && cut["inflated_bytes"] == 2 && cut["fault"] != nil)
    }

    @Test func `a difference is told by rows, zooms and the first tile`() throws {
        let other = MessageTiles.Tile(layers: [
            .init(name: "p", extent: 512, features: [Self.point(1, 1), Self.cluster(9, 2, id: 1)])
        ]).packed()
        let changed = [(TileID(z: 0, x: 0, y: 0), other), (Self.tiles[0].0, other), Self.tiles[1]]
        let (a, b) = (try archive("a.mbtiles", Self.tiles), try archive("b.mbtiles", changed))
        let difference = try ArchiveDifference(a, b)
        func zoom(_ zoom: Int, _ counts: [Int], _ first: String) -> String {
            let names = [
                "same_tiles", "repacked_tiles", "changed_tiles", "tiles_only_in_a",
                "tiles_only_in_b", "features_only_in_a", "features_only_in_b",
            ]
            let members = zip(names, counts).map { "\"\($0)\":\($1)" }.joined(separator: ",")
            return "{\"zoom\":\(zoom),\(members),\"first\":\"\(first)\"}"
        }
        let zooms = [
            zoom(0, [0, 0, 0, 0, 1, 0, 2], "0/0/0"), zoom(1, [0, 0, 1, 0, 0, 3, 1], "1/0/1"),
            zoom(3, [1, 0, 0, 1, 0, 0, 0], "3/3/5").dropLast() + ",\"unreadable_tiles_in_a\":1}",
        ]
        #expect(
            difference.json.asObject?["zooms"]?.text() == "[\(zooms.joined(separator: ","))]")
        #expect(difference.json.asObject?["differs"] == true)
        #expect(try ArchiveDifference(a, a).json.asObject?["differs"] == false)
    }

    @Test func `what cannot be looked at is told with what to do`() {
        for (error, words) in [
            (.unreadable(path: "a", reason: "no"), "a: no"),
            (.tooLarge(path: "a", limit: 9), "a: longer than 9 bytes, so no tile"),
            (.empty(path: "a"), "a: empty: neither an archive nor a tile"),
            (
                .foreign(path: "a", .csv),
                "a: a table as text (CSV), not tiles; 'covey build a -o OUT.mbtiles' makes an archive "
                    + "of its points"
            ),
            (
                .foreign(path: "a", .png),
                "a: a PNG image; only archives of tiles and single vector tiles can be inspected"
            ),
            (
                .noArchive(path: "a", kind: "MBTiles"),
                "a: damaged, or no archive: it does not begin as MBTiles does; copy or build it again "
                    + "(a single tile has a name that ends in .mvt or .pbf)"
            ),
            (
                .otherFormat(path: "a", name: "b"),
                "a: b; only archives of tiles and single vector tiles can be inspected"
            ),
            (.noTile(path: "a", TileID(z: 1, x: 0, y: 1)), "a: there is no tile 1/0/1"),
            (.archive(.noClusters(path: "a")), ArchiveError.noClusters(path: "a").description),
        ] as [(InspectionError, String)] { #expect(error.description == words) }
        let points = ForeignFile.allCases.filter(\.holdsPoints)
        #expect(points == [.geoJSON, .csv, .xml, .flatGeobuf, .geoPackage, .database])
    }
}
