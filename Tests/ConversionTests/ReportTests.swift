import ArchiveContract
import Compression
import Conversion
import Geometry
import JSON
import Testing
import TileArchive

/// What a conversion says that it did.
struct ReportTests {
    let files = try! BakedFiles()

    @Test func `a report counts what was carried over`() throws {
        let points = try files.points("p", count: 400, seed: 3)
        let archive = try files.build("a.mbtiles", [("p", points)], tiles: ["maxZoom": 3])
        let (written, report) = try files.convert(archive, "b.pmtiles")
        let contents = try Contents(of: written)
        let clusters = contents.clusters.count { if case .cluster = $0 { true } else { false } }
        let bytes = contents.tiles.values.reduce(0) { $0 + $1.count }
        #expect(report.clusters == clusters && clusters > 10)
        #expect(report.tiles == contents.tiles.count && report.bytes == bytes && bytes > 0)
        #expect(report.leafBlocks == 1 && report.packedTiles == 0)
        let said = try #require(report.json.asObject)
        #expect(said["tile_bytes"] == .integer(Int64(bytes)))
        #expect(said["tiles"] == .integer(Int64(contents.tiles.count)))
        #expect(said["clusters"] == .integer(Int64(clusters)) && said["leaf_blocks"] == 1)
        #expect(said["min_zoom"] == 0 && said["max_zoom"] == 3)
    }

    /// Another program's, with our tables in it and nothing that says what they mean.
    @Test func `what an archive does not say is left out, or told by its tiles`() throws {
        let path = files.file("a.mbtiles")
        let writer = try MBTilesWriter(to: path)
        var gzip = GzipCompressor(level: 1)
        let empty = gzip.compress([UInt8]().span)
        for (x, y) in [(0, 1), (2, 2)] as [(UInt32, UInt32)] {
            try writer.write(TileID(z: 2, x: x, y: y), gzip: empty.span)
        }
        try writer.write(payload: empty.span, sum: "")
        try writer.finish(ArchiveMetadata(name: "a"))
        let (written, report) = try files.convert(try Archive(path: path), "b.pmtiles")
        #expect(!written.hasClusters && report.clusters == 0 && report.leafBlocks == 0)
        #expect(report.notes.contains { $0.contains("the index of clusters is left out") })
        let bounds = try #require(written.metadata.bounds)
        let (first, last) = (TileID(z: 2, x: 0, y: 1).box, TileID(z: 2, x: 2, y: 2).box)
        #expect(abs(bounds.west - first.west) < 1e-6 && abs(bounds.north - first.north) < 1e-6)
        #expect(abs(bounds.east - last.east) < 1e-6 && abs(bounds.south - last.south) < 1e-6)
    }
}
