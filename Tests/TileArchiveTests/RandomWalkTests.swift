import ArchiveContract
import Compression
import Foundation
import Geometry
import JSON
import TestSupport
import Testing
import TileArchive

/// Every way through the tiles of random archives, in each container, held against a dictionary.
struct RandomWalkTests {
    let directory = try! TemporaryDirectory()

    /// Few different tiles, so that many are equal, also such as follow one another.
    private static func tiles(_ count: Int, seed: UInt64) -> [TileID: [UInt8]] {
        var random = SeededRandom(seed: seed)
        var gzip = GzipCompressor(level: 1)
        let kinds = (0..<40).map { kind in
            let plain = (0..<UInt8(kind + 1)).map { $0 &* 7 }
            return gzip.compress(plain.span)
        }
        var tiles: [TileID: [UInt8]] = [:]
        while tiles.count < count {
            let zoom = UInt8.random(in: 1...12, using: &random)
            let first = TileID.firstHilbertID(atZoom: zoom)
            let last = TileID.firstHilbertID(atZoom: zoom + 1)
            var id = UInt64.random(in: first..<last, using: &random)
            let bytes = kinds[Int(random.next() % 40)]
            for _ in 0..<random.next() % 4 + 1 where id < last {
                if let tile = TileID(hilbertID: id) { tiles[tile] = bytes }
                id += 1
            }
        }
        return tiles
    }

    private func archive(_ tiles: [TileID: [UInt8]], _ name: String) throws -> Archive {
        let path = directory.file(name)
        let container = try #require(ArchiveContainers.container(named: path))
        var options = SinkOptions()
        options.folder.keepsGzip = true
        let sink = try container.sink(to: path, options: options)
        let order = tiles.keys.sorted {
            sink.tileOrder == .byColumn
                ? ($0.z, $0.x, $0.tmsRow) < ($1.z, $1.x, $1.tmsRow) : $0 < $1
        }
        // In batches of several sizes.
        var rest = order[...]
        var size = 1
        while !rest.isEmpty {
            var (bytes, ends) = ([UInt8](), [Int]())
            for tile in rest.prefix(size) {
                bytes += tiles[tile] ?? []
                ends.append(bytes.count)
            }
            let batch = Array(rest.prefix(size))
            try sink.write(batch, gzip: bytes.span, ends: ends)
            rest = rest.dropFirst(size)
            size = size % 50 + 7
        }
        try sink.finish(ArchiveMetadata(name: name))
        return try Archive(path: path)
    }

    @Test(arguments: ["a.mbtiles", "b.pmtiles", "c/"], [UInt64(1), 2])
    func `tiles come in order, each once and with its bytes, and are found by their numbers`(
        name: String, seed: UInt64
    ) throws {
        let tiles = Self.tiles(400, seed: seed)
        let archive = try archive(tiles, name)
        for zooms in [0...31, 3...9, 5...5, 12...14, 0...0] {
            let expected = tiles.keys.filter { zooms.contains(Int($0.z)) }
                .sorted { ($0.z, $0.x, $0.tmsRow) < ($1.z, $1.x, $1.tmsRow) }
            var scan = try archive.scan(zooms: zooms)
            let numbers = try archive.scanNumbers(zooms: zooms)
            for tile in expected {
                let (next, number) = (try scan.next(), try numbers.next())
                #expect(next == tile && number == tile)
                let bytes = Array(copying: scan.bytes)
                #expect(bytes == tiles[tile])
            }
            let (end, last) = (try scan.next(), try numbers.next())
            #expect(end == nil && last == nil)
            // Behind the end there is nothing, however often it is asked for.
            for _ in 0..<3 {
                let (end, last) = (try scan.next(), try numbers.next())
                #expect(end == nil && last == nil)
            }
            guard var curve = try archive.scanAlongCurve(zooms: zooms) else { continue }
            for tile in expected.sorted() {
                let next = try curve.next()
                let bytes = Array(copying: curve.bytes)
                #expect(next == tile && bytes == tiles[tile])
            }
            let behind = try curve.next()
            #expect(behind == nil)
        }
        try checkLookups(archive, tiles)
        let zooms = tiles.keys.map { Int($0.z) }
        #expect(try archive.zooms() == zooms.min()!...zooms.max()!)
    }

    private func checkLookups(_ archive: Archive, _ tiles: [TileID: [UInt8]]) throws {
        var lookup = try archive.openTiles()
        var inflater = GzipInflater()
        for (tile, bytes) in tiles {
            let found = try lookup.tile(at: tile)
            #expect(found == bytes)
            let plain = try inflater.inflate(bytes.span, limit: 100)
            let inflated = try lookup.inflatedTile(at: tile, limit: 100)
            #expect(inflated == plain)
            // A neighbour that may not be there.
            guard tile.x > 0 else { continue }
            let beside = TileID(z: tile.z, x: tile.x - 1, y: tile.y)
            let other = try lookup.tile(at: beside)
            #expect(other == tiles[beside])
        }
        let none = try lookup.tile(at: TileID(z: 20, x: 3, y: 4))
        #expect(none == nil)
    }

    @Test(arguments: ["a.mbtiles", "b.pmtiles", "c/"])
    func `all that an archive says of itself comes back`(name: String) throws {
        let path = directory.file(name)
        let container = try #require(ArchiveContainers.container(named: path))
        let sink = try container.sink(to: path, options: SinkOptions())
        var gzip = GzipCompressor()
        let plain: [UInt8] = [0x1A, 0]
        let bytes = gzip.compress(plain.span)
        try sink.write([TileID(z: 3, x: 5, y: 2)], gzip: bytes.span, ends: [bytes.count])
        var metadata = ArchiveMetadata(name: "all")
        metadata.description = "what it is"
        metadata.attribution = "who made it"
        metadata.type = "overlay"
        metadata.version = "3"
        (metadata.minZoom, metadata.maxZoom) = (3, 3)
        metadata.bounds = LonLatBox(west: 45.5, south: 41.25, east: 89.75, north: 66)
        metadata.center = LonLat(longitude: 60.5, latitude: 50.25)
        metadata.centerZoom = 3
        metadata.generator = "covey 9"
        metadata.generatorOptions = #"{"a":1}"#
        metadata.vectorLayers = [
            VectorLayer(
                id: "a", fields: [.init("n", .number), .init("t", .string), .init("b", .boolean)],
                minZoom: 3, maxZoom: 3)
        ]
        metadata.tileStats = ["layerCount": 1, "layers": [["layer": "a", "count": 7]]]
        metadata.others = ["legend": "none"]
        try sink.finish(metadata)
        var said = try Archive(path: path).metadata
        said.tilesHash = nil
        #expect(said == metadata)
    }
}
