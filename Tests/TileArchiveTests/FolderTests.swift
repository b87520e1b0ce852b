import ArchiveContract
import CLibrary
import Compression
import Geometry
import JSON
import Platform
import TestSupport
import Testing
import TileArchive

/// Archives that are folders: what comes back, what is replaced, and what strangers put in them.
struct FolderTests {
    let directory = try! TemporaryDirectory()
    var path: String { directory.file("out") }

    private func write(
        _ tiles: [(TileID, [UInt8])], metadata: ArchiveMetadata = ArchiveMetadata(name: "sample"),
        change: (inout SinkOptions) -> Void = { _ in }
    ) throws {
        var options = SinkOptions()
        options.folder.keepsGzip = true
        change(&options)
        let sink = try TileFolder.sink(to: path + "/", options: options)
        for (tile, bytes) in tiles { try sink.write([tile], gzip: bytes.span, ends: [bytes.count]) }
        try sink.finish(metadata)
    }

    private func read() throws -> [TileID: [UInt8]] {
        var tiles: [TileID: [UInt8]] = [:]
        var scan = try Archive(path: path).scan()
        var order: [TileID] = []
        while let tile = try scan.next() {
            tiles[tile] = Array(copying: scan.bytes)
            order.append(tile)
        }
        #expect(order == order.sorted { ($0.z, $0.x, $0.tmsRow) < ($1.z, $1.x, $1.tmsRow) })
        return tiles
    }

    @Test(arguments: [true, false])
    func `tiles and metadata come back, and the hash is that of an archive of one file`(
        inOrder: Bool
    ) throws {
        let sample = SampleTiles(count: 300, maxZoom: 9, seed: 4)
        var random = SeededRandom(seed: 5)
        let order = inOrder ? sample.sorted : sample.sorted.shuffled(using: &random)
        var metadata = ArchiveMetadata(name: "Züge \"&\" 駅")
        metadata.bounds = LonLatBox(west: -10.5, south: -20.25, east: 30.125, north: 40)
        metadata.vectorLayers = [VectorLayer(id: "a", fields: [.init("n", .number)])]
        metadata.others = ["more": "1"]
        try write(order.map { ($0, sample.tiles[$0] ?? []) }, metadata: metadata)
        let archive = try Archive(path: path)
        #expect(archive.containerName == "folder" && archive.warnings.isEmpty)
        #expect(try read() == sample.tiles)
        metadata.tilesHash = archive.metadata.tilesHash
        #expect(archive.metadata == metadata)
        let file = directory.file("one.mbtiles")
        try sample.write(sample.sorted, to: file)
        #expect(try Archive(path: file).metadata.tilesHash == metadata.tilesHash)
        var lookup = try archive.openTiles()
        for (tile, bytes) in sample.tiles { #expect(try lookup.tile(at: tile) == bytes) }
        #expect(try lookup.tile(at: TileID(z: 12, x: 0, y: 0)) == nil)
        let zooms = sample.tiles.keys.map { Int($0.z) }
        #expect(try archive.zooms() == zooms.min()!...zooms.max()!)
        #expect(try archive.audit().strayCount == 0)
    }

    @Test func `files are plain for hosts that know nothing of gzip`() throws {
        var compressor = GzipCompressor(level: 6)
        let plain = Array("no tile, but that is no matter".utf8)
        let packed = compressor.compress(plain.span)
        try write([(TileID(z: 1, x: 1, y: 0), packed)]) { $0.folder.keepsGzip = false }
        #expect(try read() == [TileID(z: 1, x: 1, y: 0): plain])
        #expect(try File.contents(of: path + "/1/1/0.pbf", limit: 99) == plain)
    }

    @Test func `a folder is replaced only if it is an archive, and nothing else is lost`() throws {
        let tile: (TileID, [UInt8]) = (TileID(z: 0, x: 0, y: 0), [1])
        try Directory.create(path)
        try write([tile])
        #expect(throws: ArchiveError.exists(path: path + "/")) { try write([tile]) }
        try write([(TileID(z: 0, x: 0, y: 0), [2])]) { $0.replacesExisting = true }
        #expect(try read().values.first == [2])
        try File.write([1].span, toNew: path + "/CNAME")
        let error = #expect(throws: ArchiveError.self) {
            try write([tile]) { $0.replacesExisting = true }
        }
        #expect(error?.description.contains("CNAME in it is not part of an archive") == true)
        try File.remove(path + "/metadata.json")
        let other = #expect(throws: ArchiveError.self) {
            try write([tile]) { $0.replacesExisting = true }
        }
        #expect(other?.description.contains("is not an archive") == true)
        #expect(directory.names == ["out"])
    }

    @Test func `a folder that is not finished leaves nothing, and the next removes what is left`()
        throws
    {
        do {
            let sink = try TileFolder.sink(to: path, options: SinkOptions())
            let bytes: [UInt8] = [1]
            try sink.write([TileID(z: 0, x: 0, y: 0)], gzip: bytes.span, ends: [1])
            #expect(directory.names.count == 1)
            #expect(throws: ArchiveError.duplicateTile(path: path, TileID(z: 0, x: 0, y: 0))) {
                try sink.write([TileID(z: 0, x: 0, y: 0)], gzip: bytes.span, ends: [1])
            }
        }
        #expect(directory.names.isEmpty)
        // As a process that is gone would have left it.
        let left = directory.file(".out.covey-2147483646-0123456789abc")
        try Directory.create(left)
        try Directory.create(left + "/0")
        try File.write([1].span, toNew: left + "/0/file")
        try write([])
        #expect(directory.names == ["out"])
    }

    @Test func `what is beside the tiles is asked for when they are there`() throws {
        try write([(TileID(z: 0, x: 0, y: 0), [5])]) { options in
            options.folder.companions = { archive in
                var lookup = try archive.openTiles()
                let bytes = try lookup.tile(at: TileID(z: 0, x: 0, y: 0)) ?? []
                return [.init("index.html", bytes), .init("assets/a.js", [9])]
            }
        }
        #expect(try File.contents(of: path + "/index.html", limit: 9) == [5])
        #expect(try File.contents(of: path + "/assets/a.js", limit: 9) == [9])
    }
}
