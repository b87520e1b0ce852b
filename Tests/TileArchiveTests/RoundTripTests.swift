import Geometry
import TestSupport
import Testing
import TileArchive

struct RoundTripTests {
    let directory = try! TemporaryDirectory()

    @Test(arguments: [0, 1, 2_000])
    func `tiles come back whatever order they were written in`(count: Int) throws {
        let sample = SampleTiles(count: count, seed: 1)
        var random = SeededRandom(seed: 2)
        for order in [sample.sorted, sample.sorted.shuffled(using: &random)] {
            let path = directory.file("\(random.next()).mbtiles")
            try sample.write(order, to: path)
            let archive = try Archive(path: path)
            #expect(archive.warnings.isEmpty && archive.layout == .table)
            var scan = try archive.scan()
            var scanned: [TileID] = []
            while let id = try scan.next() {
                scanned.append(id)
                #expect(Array(copying: scan.bytes) == sample.tiles[id])
            }
            #expect(scanned == sample.sorted)
            var reader = try archive.openTiles()
            for id in sample.sorted {
                #expect(try reader.tile(at: id) == sample.tiles[id])
            }
        }
    }

    @Test func `the hash is over the key order, whatever order came in`() throws {
        let sample = SampleTiles(count: 500, seed: 3)
        var random = SeededRandom(seed: 4)
        let paths = [directory.file("a"), directory.file("b")]
        try sample.write(sample.sorted, to: paths[0])
        try sample.write(sample.sorted.shuffled(using: &random), to: paths[1])
        let hashes = try paths.map { try Archive(path: $0).metadata.tilesHash }
        #expect(hashes[0] != nil && hashes[0] == hashes[1])
    }

    @Test func `the hash is the MD5 that the specification of agg_tiles_hash means`() throws {
        let path = directory.file("a.mbtiles")
        var writer = try MBTilesWriter(to: path)
        let bytes = Array("abc".utf8)
        try writer.write(TileID(z: 12, x: 7, y: 4_094), gzip: bytes.span)
        try writer.finish(ArchiveMetadata(name: "a"))
        // printf 1271abc | md5sum
        #expect(try Archive(path: path).metadata.tilesHash == "505BAC8B80EAE72020447E9D63B8E0B1")
    }

    @Test func `zooms are summed up`() throws {
        let sample = SampleTiles(count: 300, maxZoom: 5, seed: 5)
        let path = directory.file("a.mbtiles")
        try sample.write(sample.sorted, to: path)
        for summary in try Archive(path: path).zoomSummaries() {
            let sizes = sample.tiles.filter { Int($0.key.z) == summary.zoom }.map(\.value.count)
            #expect(summary.tiles == sizes.count && summary.bytes == sizes.reduce(0, +))
            #expect(summary.largestTile == sizes.max())
        }
    }
}
