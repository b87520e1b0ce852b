import Compression
import Foundation
import Geometry
import Inspection
import JSON
import MessageTiles
import MadeArchives
import SQLite
import Testing
import TileArchive
import VectorTile

/// A copy of a built archive, to be damaged; it goes away with its owner.
final class BuiltArchive {
    let path: String

    /// - Parameter keepsHash: whether the hash over all tiles stays, so that changed tiles show.
    init(_ kind: ArchiveKind, keepsHash: Bool = false) throws {
        path =
            FileManager.default.temporaryDirectory.appending(
                path: "covey-built-\(UUID().uuidString).mbtiles"
            ).path
        try kind.bytes().write(to: URL(filePath: path))
        if !keepsHash { try change("DELETE FROM metadata WHERE name = 'agg_tiles_hash'") }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var archive: Archive {
        get throws { try Archive(path: path) }
    }

    /// Where the statement is about tables of clusters, the archive gets those of format 3 before.
    func change(_ sql: String) throws {
        if sql.contains("covey_") { try makeOld() }
        try Database(path: path, mode: .readWriteCreate).execute(sql)
    }

    func makeOld() throws {
        if try archive.description?.get().format == 4 { try OldArchive.makeOld(path) }
    }

    /// The codes of all findings.
    func codes(deep: Bool = false) throws -> Set<String> {
        Set(try findings(deep: deep).map(\.code))
    }

    func findings(deep: Bool = false) throws -> [Finding] {
        try Verification(of: archive, threads: 1, isDeep: deep).findings.all
    }

    /// All of it, to be put back later.
    func bytes() throws -> Data { try Data(contentsOf: URL(filePath: path)) }

    func restore(_ bytes: Data) throws { try bytes.write(to: URL(filePath: path)) }

    // MARK: Tiles

    /// All tiles of a zoom, by column and row from the south.
    func tiles(at zoom: Int) throws -> [TileID] {
        var tiles: [TileID] = []
        try archive.listTiles(zooms: zoom...zoom) { tiles.append($0.tile) }
        return tiles
    }

    func tile(_ id: TileID) throws -> MessageTiles.Tile {
        var reader = try archive.openTiles()
        let bytes = try #require(try reader.inflatedTile(at: id, limit: 1 << 20))
        return try MessageTiles.Tile(bytes.span)
    }

    func write(_ tile: MessageTiles.Tile, at id: TileID) throws {
        var gzip = GzipCompressor(level: 6)
        try write(stored: gzip.compress(tile.packed().span), at: id)
    }

    func write(stored bytes: [UInt8], at id: TileID) throws {
        let database = try Database(path: path, mode: .readWriteCreate)
        var update = try database.prepare(
            """
            UPDATE tiles SET tile_data = ?1
            WHERE zoom_level = \(id.z) AND tile_column = \(id.x) AND tile_row = \(id.tmsRow)
            """)
        try update.run(binding: bytes.span, at: 1)
    }

    /// Changes the first feature, in the order of zooms and tiles, that `body` takes: it gets a
    /// feature within its tile, and says whether it has changed it.
    func changeFeature(
        zooms: ClosedRange<Int> = 0...4, _ body: (inout MessageTiles.Tile.Feature, TileID) -> Bool
    ) throws {
        for zoom in zooms {
            for id in try tiles(at: zoom) {
                var tile = try tile(id)
                for layer in tile.layers.indices {
                    let extent = tile.layers[layer].extent
                    for index in tile.layers[layer].features.indices {
                        let feature = tile.layers[layer].features[index]
                        guard feature.isInner(extent), body(&tile.layers[layer].features[index], id)
                        else { continue }
                        return try write(tile, at: id)
                    }
                }
            }
        }
        Issue.record("no feature was changed")
    }
}

extension MessageTiles.Tile.Feature {
    subscript(name: String) -> TileValue? {
        get { tags.first { $0.key == name }?.value }
        set {
            tags.removeAll { $0.key == name }
            if let newValue { tags.append(.init(name, newValue)) }
        }
    }

    var isCluster: Bool { self["cluster"] != nil }

    /// Whether it lies so far within its tile that no neighbour has a copy.
    func isInner(_ extent: UInt32) -> Bool {
        let margin = Int64(extent) / 32
        return coordinates.allSatisfy { $0 > margin && $0 < Int64(extent) - margin }
    }

    /// The position of a single point.
    var coordinates: [Int64] {
        geometry.dropFirst().map { Int64(Int32(bitPattern: $0 >> 1) ^ -Int32(bitPattern: $0 & 1)) }
    }

    mutating func move(x: Int32 = 0, y: Int32 = 0) {
        let (oldX, oldY) = (Int32(coordinates[0]), Int32(coordinates[1]))
        let points = [TilePoint(x: oldX + x, y: oldY + y)]
        geometry = MessageTiles.Tile.Feature(.points(points)).geometry
    }
}
