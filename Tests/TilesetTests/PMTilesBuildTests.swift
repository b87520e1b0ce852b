import ArchiveContract
import Compression
import Foundation
import Geometry
import JSON
import Recipes
import Testing
import TileArchive
import Tileset
import VectorTile

/// The same points in both kinds of archives: every answer must be the same.
struct PMTilesBuildTests {
    private struct Pair: @unchecked Sendable {
        let database: Archive
        let pmtiles: Archive
        let folder: BakedArchive

        /// Two layers, of several blocks together, that share one.
        init() throws {
            let folder = try BakedArchive(
                SamplePoint.towns(9_000, seed: 31), tiles: ["maxZoom": 6])
            self.folder = folder
            let input = folder.directory.appendingPathComponent("in.geojsonl").path
            let layer: (String, JSONValue) -> JSONValue = { name, clusters in
                ["name": .string(name), "sources": [.string(input)], "clusters": clusters]
            }
            let recipe = try Recipe(
                reading: JSONNode([
                    "tiles": ["maxZoom": 6],
                    "layers": [
                        layer("one", ["radius": 300]),
                        layer("two", ["radius": 20, "fields": ["bbox"]]),
                    ],
                ]))
            func build(_ name: String, _ kind: any ArchiveContainer.Type) throws -> Archive {
                let path = folder.directory.appendingPathComponent(name).path
                _ = try TilesetBuild(recipe, to: path, in: kind).run()
                return try Archive(path: path)
            }
            database = try build("a.mbtiles", MBTiles.self)
            pmtiles = try build("a.pmtiles", PMTiles.self)
        }
    }

    private static let pair: Result<Pair, any Error> = Result { try Pair() }

    @Test func `tiles, clusters and leaf blocks are those of the database`() throws {
        let pair = try Self.pair.get()
        #expect(pair.pmtiles.containerName == "PMTiles" && pair.pmtiles.warnings.isEmpty)
        var a = try pair.database.scan()
        var b = try pair.pmtiles.scan()
        var lookup = try pair.pmtiles.openTiles()
        var count = 0
        while let tile = try a.next() {
            #expect(try b.next() == tile)
            let bytes = Array(copying: a.bytes)
            #expect(Array(copying: b.bytes) == bytes)
            #expect(try lookup.tile(at: tile) == bytes)
            count += 1
        }
        #expect(try b.next() == nil && count > 100)
        #expect(try pair.pmtiles.zooms() == pair.database.zooms())
        let rows = try pair.database.scanClusters()
        let others = try pair.pmtiles.scanClusters()
        while let row = try rows.next() { #expect(try others.next() == row) }
        #expect(try others.next() == nil)
        var blocks = try pair.database.scanLeafBlocks()
        var payloads = try pair.pmtiles.scanLeafBlocks()
        while let number = try blocks.next() {
            #expect(try payloads.next() == number)
            #expect(Array(copying: payloads.bytes) == Array(copying: blocks.bytes))
            #expect(payloads.hull == blocks.hull)
        }
        #expect(try payloads.next() == nil)
    }

    @Test func `parents, children and nodes at a zoom are those of the database`() throws {
        let pair = try Self.pair.get()
        var a = try pair.database.openClusters()
        var b = try pair.pmtiles.openClusters()
        #expect(
            a.leafBound == b.leafBound && a.description.ids == b.description.ids
                && a.leafBound == 18_000)
        let rows = try pair.database.scanClusters()
        var reaching = 0
        while case .cluster(let row)? = try rows.next() {
            let id = a.description.id(of: row)
            #expect(try b.cluster(id) == row)
            #expect(try b.parent(of: id) == a.parent(of: id))
            #expect(try b.children(of: id) == a.children(of: id))
            if row.leaves.lowerBound / 4_000 != (row.leaves.upperBound - 1) / 4_000 {
                reaching += 1
            }
        }
        #expect(reaching > 5)
        for leaf in stride(from: Int64(0), to: 18_000, by: 7) {
            for zoom in 0...7 {
                #expect(
                    try b.node(holding: leaf, at: zoom) == a.node(holding: leaf, at: zoom))
            }
        }
    }

    @Test func `kept shapes are those of all points, and kept boxes those of blocks`() throws {
        let pair = try Self.pair.get()
        let points = try Self.points(of: pair.pmtiles)
        var index = try pair.pmtiles.openClusters()
        let rows = try pair.pmtiles.scanClusters()
        var shapes = 0
        while case .cluster(let row)? = try rows.next() {
            guard let outline = try index.outline(of: row.key) else { continue }
            shapes += 1
            let own = points[Int(row.leaves.lowerBound)..<Int(row.leaves.upperBound)]
            #expect(outline == GridHull(of: Array(own)).corners)
        }
        #expect(shapes > 1)
        let boxes = try #require(try index.blockBoxes())
        let expected = (0..<index.table.count).map { number in
            let leaves = index.table.leaves(ofBlock: number)
            return GridBox(around: Array(points[Int(leaves.lowerBound)..<Int(leaves.upperBound)]))
        }
        #expect(boxes == expected)
    }

    @Test func `what clusters carry beyond the index is said`() throws {
        let described = try #require(Self.pair.get().pmtiles.description).get()
        #expect(described.layers.map(\.carries) == [[], ["bbox"]])
        #expect((5...16).contains(described.blocks?.count ?? 0))
        let database = try #require(Self.pair.get().database.description).get()
        #expect(database == described)
    }

    @Test func `the same points give the same files on any number of threads`() throws {
        let points = SamplePoint.towns(5_000, seed: 8)
        func files(_ threads: Int) throws -> [Data] {
            let baked = try BakedArchive(points, tiles: ["maxZoom": 4])
            let input = baked.directory.appendingPathComponent("in.geojsonl").path
            let recipe = try Recipe(
                reading: JSONNode([
                    "layers": [["name": "points", "sources": [.string(input)]]]
                ]))
            let path = baked.directory.appendingPathComponent("a.pmtiles").path
            var options = BuildOptions()
            options.threads = threads
            _ = try TilesetBuild(recipe, to: path, in: PMTiles.self, options: options).run()
            return try [path, ClusterFilePath.beside(path)].map {
                try Data(contentsOf: URL(filePath: $0))
            }
        }
        #expect(try files(1) == files(8))
    }

    /// The positions of all leaves, as the blocks have them.
    private static func points(of archive: Archive) throws -> [GridPoint] {
        var inflater = GzipInflater()
        var blocks = try archive.scanLeafBlocks()
        var points: [GridPoint] = []
        while try blocks.next() != nil {
            let bytes = try inflater.inflate(blocks.bytes, limit: 1 << 24)
            var tile = try TileReader(bytes.span)
            while let layer = try tile.nextLayer() {
                var features = layer.features()
                while let feature = try features.next() {
                    guard let point = feature.point else { continue }
                    points.append(GridPoint(x: point.x, y: point.y))
                }
            }
        }
        return points
    }
}

enum ClusterFilePath {
    static func beside(_ path: String) -> String {
        String(path.dropLast(".pmtiles".count)) + ".clusters.pmtiles"
    }
}
