import Foundation
import Geometry
import Testing
import TileArchive

/// Tiles that are stored once where they are the same, and apart where they differ in anything at all.
struct DistinctTilesTests {
    let directory = try! TemporaryDirectory()

    @Test(arguments: ["a.mbtiles", "a.pmtiles", "a/"])
    func `tiles that differ in one byte or in their length stay apart`(name: String) throws {
        let base = (0..<21).map { UInt8($0) }
        var contents = [base]
        for index in base.indices {
            var other = base
            other[index] ^= index % 2 == 0 ? 1 : 0x80
            contents.append(other)
        }
        contents += (12...21).map { Array(base.prefix($0)) + [0] }
        contents += (14...18).map { [UInt8](repeating: 0, count: $0) }
        // Each comes again, which no reader may notice.
        contents += contents.reversed()
        let path = directory.file(name)
        let container = try #require(ArchiveContainers.container(named: path))
        var options = SinkOptions()
        options.folder.keepsGzip = true
        let sink = try container.sink(to: path, options: options)
        let tiles = try contents.indices.map { try #require(TileID(hilbertID: 21 + UInt64($0))) }
        for (tile, bytes) in zip(tiles, contents) {
            try sink.write([tile], gzip: bytes.span, ends: [bytes.count])
        }
        try sink.finish(ArchiveMetadata(name: "a"))
        var reader = try Archive(path: path).openTiles()
        for (tile, bytes) in zip(tiles, contents) { #expect(try reader.tile(at: tile) == bytes) }
    }
}
