import Compression
import Foundation
import Geometry
import TestSupport
import Testing

@testable import TileArchive

/// Walks over all tiles of a PMTiles archive, in the order of keys and along the curve.
struct PMTilesWalkTests {
    let directory = try! TemporaryDirectory()

    /// Tiles of which many are equal to their neighbours, also over the end of a zoom.
    private func tiles(seed: UInt64) -> [TileID: [UInt8]] {
        var random = SeededRandom(seed: seed)
        var gzip = GzipCompressor(level: 1)
        let kinds = (UInt8(0)..<9).map { kind in
            gzip.compress([UInt8](repeating: kind, count: 1 + Int(kind)).span)
        }
        var tiles: [TileID: [UInt8]] = [:]
        var id: UInt64 = 0
        while id < TileID.firstHilbertID(atZoom: 7) {
            let bytes = kinds[Int.random(in: 0..<9, using: &random)]
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                if let tile = TileID(hilbertID: id) { tiles[tile] = bytes }
                id += 1
            }
            id += UInt64([0, 0, 3].randomElement(using: &random) ?? 0)
        }
        return tiles
    }

    private func archive(_ tiles: [TileID: [UInt8]]) throws -> PMTilesFile {
        let path = directory.file("a.pmtiles")
        let sink = try PMTiles.sink(to: path, options: SinkOptions())
        for (tile, bytes) in tiles.sorted(by: { $0.key < $1.key }) {
            try sink.write([tile], gzip: bytes.span, ends: [bytes.count])
        }
        try sink.finish(ArchiveMetadata(name: "a"))
        return try PMTilesFile(RangeSources.open(path))
    }

    @Test(arguments: [1, 100, 1_500, 1_000_000])
    func `columns at a time or a zoom at once, tiles come in the order of keys`(most: Int) throws {
        let tiles = tiles(seed: 3)
        let file = try archive(tiles)
        for zooms in [0...31, 2...5, 6...6, 7...9] {
            let expected = tiles.keys.filter { zooms.contains(Int($0.z)) }
                .sorted { ($0.z, $0.x, $0.tmsRow) < ($1.z, $1.x, $1.tmsRow) }
            let walk = PMTilesTileWalk(
                file, zooms: zooms, WorkBudget(fileBytes: nil), mostGathered: most)
            let numbers = PMTilesTileWalk(
                file, zooms: zooms, WorkBudget(fileBytes: nil), mostGathered: most)
            var bytes: [UInt8] = []
            for tile in expected {
                #expect(try walk.next(&bytes) == tile && bytes == tiles[tile])
                #expect(try numbers.next() == tile)
            }
            #expect(try walk.next(&bytes) == nil && numbers.next() == nil)
            #expect(try walk.next(&bytes) == nil)
        }
    }

    /// Columns of zooms past 12 are counted in groups of several.
    @Test(arguments: [1, 40, 400])
    func `in deep zooms too, columns at a time come in the order of keys`(most: Int) throws {
        var random = SeededRandom(seed: 7)
        var tiles: [TileID: [UInt8]] = [:]
        for zoom in [11, 12, 13, 14, 17] as [UInt8] {
            let end = UInt32(1) << UInt32(zoom)
            // Crowded at both ends of the world, and some anywhere.
            for number in 0..<60 {
                let any = UInt32.random(in: 0..<end, using: &random)
                let near = UInt32.random(in: 0..<3, using: &random)
                let x = [near, end - 1 - near, any][number % 3]
                let tile = TileID(z: zoom, x: x, y: .random(in: 0..<end, using: &random))
                var gzip = GzipCompressor(level: 1)
                tiles[tile] = gzip.compress([zoom, UInt8(number)].span)
            }
        }
        let file = try archive(tiles)
        let walk = PMTilesTileWalk(
            file, zooms: 0...31, WorkBudget(fileBytes: nil), mostGathered: most)
        var bytes: [UInt8] = []
        for tile in tiles.keys.sorted(by: { ($0.z, $0.x, $0.tmsRow) < ($1.z, $1.x, $1.tmsRow) }) {
            #expect(try walk.next(&bytes) == tile && bytes == tiles[tile])
        }
        #expect(try walk.next(&bytes) == nil)
    }

    /// What the header counts decides how much is gathered at once; it may say too little.
    @Test func `a header that counts too few tiles changes nothing`() throws {
        let tiles = tiles(seed: 5)
        let path = try archive(tiles).source.path
        var bytes = Array(try Data(contentsOf: URL(filePath: path)))
        var header = try PMTilesHeader(bytes)
        header.addressedTiles = 1
        bytes.replaceSubrange(..<127, with: header.bytes)
        try Data(bytes).write(to: URL(filePath: path))
        let walk = PMTilesTileWalk(
            try PMTilesFile(RangeSources.open(path)), zooms: 0...31, WorkBudget(fileBytes: nil),
            mostGathered: 100)
        let expected = tiles.keys.sorted { ($0.z, $0.x, $0.tmsRow) < ($1.z, $1.x, $1.tmsRow) }
        for tile in expected { #expect(try walk.next() == tile) }
        #expect(try walk.next() == nil)
    }

    @Test func `along the curve they come as they lie`() throws {
        let tiles = tiles(seed: 4)
        let file = try archive(tiles)
        for zooms in [0...31, 2...5, 6...6, 7...9] {
            let walk = PMTilesCurveWalk(file, zooms: zooms, WorkBudget(fileBytes: nil))
            var bytes: [UInt8] = []
            for tile in tiles.keys.filter({ zooms.contains(Int($0.z)) }).sorted() {
                #expect(try walk.next(&bytes) == tile && bytes == tiles[tile])
            }
            #expect(try walk.next(&bytes) == nil && walk.next(&bytes) == nil)
        }
    }

    @Test func `by contents, each comes once a zoom with all of its tiles`() throws {
        let tiles = tiles(seed: 6)
        let file = try archive(tiles)
        for zooms in [0...31, 2...5, 6...6, 7...9] {
            let walk = PMTilesContentWalk(file, zooms: zooms, WorkBudget(fileBytes: nil))
            var found: [TileID: [UInt8]] = [:]
            var groups: [[UInt8]: [UInt8]] = [:]
            var bytes: [UInt8] = []
            while let group = try walk.nextGroup(&bytes) {
                #expect(!(groups[bytes] ?? []).contains(group.first.z))
                groups[bytes, default: []].append(group.first.z)
                let all = group.firsts(.max)
                #expect(all.first == group.first && all.count == group.count)
                for tile in all { #expect(found.updateValue(bytes, forKey: tile) == nil) }
            }
            #expect(found == tiles.filter { zooms.contains(Int($0.key.z)) })
        }
    }

    @Test func `the zoom of a number is that of the tile`() {
        for zoom in UInt8(0)...31 {
            let first = TileID.firstHilbertID(atZoom: zoom)
            #expect(TileID.zoom(ofHilbertID: first) == zoom)
            let count = UInt64(1) << (2 * UInt64(zoom))
            #expect(TileID.zoom(ofHilbertID: first + count - 1) == zoom)
            #expect(TileID(hilbertID: first + count - 1)?.z == zoom)
        }
        #expect(TileID.zoom(ofHilbertID: UInt64.max / 3) == nil)
        #expect(TileID.zoom(ofHilbertID: .max) == nil && TileID(hilbertID: .max) == nil)
    }
}
