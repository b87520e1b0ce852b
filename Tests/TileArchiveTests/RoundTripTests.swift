import Foundation
import Geometry
import JSON
import SQLite
import TestSupport
import Testing

@testable import TileArchive

struct RoundTripTests {
    let directory = try! TemporaryDirectory()

    @Test(arguments: [0, 1, 2_000])
    func `tiles come back whatever order they were written in`(count: Int) throws {
        let sample = SampleTiles(count: count, seed: 1)
        var random = SeededRandom(seed: 2)
        var late = sample.sorted
        if count > 2 { late.swapAt(count - 5, count - 3) }
        for order in [sample.sorted, sample.sorted.shuffled(using: &random), late] {
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
        let writer = try MBTilesWriter(to: path)
        let bytes = Array("abc".utf8)
        try writer.write(TileID(z: 12, x: 7, y: 4_094), gzip: bytes.span)
        try writer.finish(ArchiveMetadata(name: "a"))
        // printf 1271abc | md5sum
        #expect(try Archive(path: path).metadata.tilesHash == "505BAC8B80EAE72020447E9D63B8E0B1")
    }

    private static let world = TileID(z: 0, x: 0, y: 0)

    /// printf 000%052d 0 | tr 0 a | sed s/^aaa/000/ | md5sum
    @Test(arguments: [
        (52, "10E40C31D205FBB829896B38A4EA3EDB"), (53, "528671659A8B65E393DB78746AC750F4"),
        (60, "92F717D96A18F2E5EBB935D17E0FD176"), (61, "5DFFAB182CB77B7C650392483C6318AA"),
        (125, "D043EF0D1628F75DE67143970971743A"), (4_093, "C4067D96A629F89B7C30197BE477B3FE"),
        (4_094, "6783A5882F15DC41CF6DE140516C72F0"), (100_000, "501EC0A44D8FEEAAE17E2D09B2A0ED03"),
    ])
    func `the hash is right for any length, in one piece or in many`(
        count: Int, hash: String
    ) throws {
        let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: count)
        var whole = TilesHash()
        whole.include(Self.world, bytes.span)
        let digest = whole.finish()
        #expect(digest == hash)
        guard count < 5_000 else { return }
        // Many short tiles, against their bytes in one.
        var parts = TilesHash()
        for _ in 0..<count {
            parts.include(Self.world, bytes.span.extracting(..<1))
        }
        let repeated = [UInt8]((0..<count).flatMap { _ in "000a".utf8 })
        var joined = TilesHash()
        joined.include(Self.world, repeated.span.extracting(3...))
        let (one, many) = (joined.finish(), parts.finish())
        #expect(one == many)
    }

    @Test func `a raster archive with statistics keeps them, one without has no such row`() throws {
        var metadata = ArchiveMetadata(name: "a")
        metadata.format = "png"
        #expect(!metadata.rows.contains { $0.name == "json" })
        metadata.tileStats = ["layerCount": 0]
        let row = metadata.rows.first { $0.name == "json" }
        #expect(row?.value == #"{"vector_layers":[],"tilestats":{"layerCount":0}}"#)
        metadata.tileStats = nil
        metadata.vectorLayers = [VectorLayer(id: "a", fields: [])]
        #expect(metadata.rows.contains { $0.name == "json" })
        metadata.vectorLayers = []
        metadata.format = "pbf"
        #expect(metadata.rows.contains { $0.name == "json" })
    }

    @Test func `metadata comes back as it was written`() throws {
        var metadata = ArchiveMetadata(name: "Züge \"&\" 駅")
        metadata.bounds = LonLatBox(west: -10.5, south: -20.25, east: 30.125, north: 40)
        metadata.center = LonLat(longitude: 1.5, latitude: -2.25)
        metadata.centerZoom = 3
        metadata.minZoom = 0
        metadata.maxZoom = 14
        metadata.type = "overlay"
        metadata.version = "7"
        metadata.description = "two\nlines"
        metadata.attribution = "<a href='x'>©</a>"
        metadata.generator = "covey"
        metadata.generatorOptions = "build 'a b'"
        metadata.vectorLayers = [
            VectorLayer(
                id: "spots", fields: [.init("name", .string), .init("n", .number)],
                description: "d", minZoom: 0, maxZoom: 14)
        ]
        metadata.tileStats = try JSONValue(parsing: #"{"layerCount":1}"#)
        metadata.covey = try JSONValue(parsing: #"{"layers":[{"radius":50.5}]}"#)
        metadata.others = ["legend": "none", "empty": ""]
        let path = directory.file("a.mbtiles")
        try MBTilesWriter(to: path).finish(metadata)
        let archive = try Archive(path: path)
        // printf '' | md5sum
        metadata.tilesHash = "D41D8CD98F00B204E9800998ECF8427E"
        #expect(archive.metadata == metadata && archive.warnings.isEmpty)
    }

    @Test(arguments: ["a.mbtiles", "a.pmtiles", "a/"])
    func `the zooms of no tiles are none, and those of one are its own`(name: String) throws {
        for zoom in [nil, UInt8(7)] {
            var options = SinkOptions()
            options.replacesExisting = true
            let path = directory.file(name)
            let container = try #require(ArchiveContainers.container(named: path))
            let sink = try container.sink(to: path, options: options)
            let bytes: [UInt8] = [1, 2, 3]
            if let zoom { try sink.write(TileID(z: zoom, x: 5, y: 9), gzip: bytes.span) }
            try sink.finish(ArchiveMetadata(name: "a"))
            #expect(try Archive(path: path).zooms() == zoom.map { Int($0)...Int($0) })
        }
    }

    /// As the specification of MBTiles has it: a name stands once.
    @Test func `each row of the metadata has a name of its own`() throws {
        let path = directory.file("a.mbtiles")
        try SampleTiles(count: 3, seed: 1).write([], to: path)
        let database = try Database(path: path, mode: .readWriteCreate)
        #expect(throws: SQLiteError.self) {
            try database.execute("INSERT INTO metadata VALUES ('format', 'pbf')")
        }
        try database.execute("INSERT INTO metadata VALUES ('formats', 'pbf')")
    }

    @Test func `a file that has been cut off says how many bytes are left`() throws {
        let path = directory.file("a")
        try Data((0..<100).map { UInt8($0) }).write(to: URL(filePath: path))
        let source = try RangeSources.open(path)
        #expect(source.byteCount == 100)
        #expect(try source.bytes(20..<40) == Array(20..<40))
        try #require(truncate(path, 30) == 0)
        #expect(throws: ArchiveError.truncated(path: path, bytes: 30, expected: 100)) {
            try source.bytes(20..<40)
        }
        #expect(try source.bytes(20..<30) == Array(20..<30))
    }
}
