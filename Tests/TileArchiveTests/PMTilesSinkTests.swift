import ArchiveContract
import Compression
import Foundation
import Geometry
import JSON
import MadeArchives
import TestSupport
import Testing
import TileArchive

struct PMTilesSinkTests {
    let directory = try! TemporaryDirectory()

    private func write(
        _ tiles: [(id: UInt64, bytes: [UInt8])], to name: String = "a.pmtiles",
        metadata: ArchiveMetadata = ArchiveMetadata(name: "a"), forced: Bool = false,
        payloads: [[UInt8]] = []
    ) throws -> String {
        var options = SinkOptions()
        options.replacesExisting = forced
        let path = directory.file(name)
        let sink = try PMTiles.sink(to: path, options: options)
        for (id, bytes) in tiles {
            let tile = try #require(TileID(hilbertID: id))
            try sink.write([tile], gzip: bytes.span, ends: [bytes.count])
        }
        for payload in payloads { try sink.write(payload: payload.span, sum: "") }
        try sink.finish(metadata)
        return path
    }

    private func header(_ path: String) throws -> PMTilesHeader {
        try PMTilesHeader(Array(Data(contentsOf: URL(filePath: path)).prefix(127)))
    }

    /// Header and sections fill the file, and every rule of the format holds.
    private func expectSound(_ path: String) throws {
        let header = try header(path)
        let size = try Data(contentsOf: URL(filePath: path)).count
        let sections = [header.root, header.metadata, header.leaves, header.tiles]
        #expect(127 + sections.reduce(0) { $0 + $1.length } == UInt64(size))
        #expect(sections.allSatisfy { $0.offset > 0 })
        #expect(try Archive(path: path).audit().pmtiles == [])
    }

    @Test func `an archive of one tile`() throws {
        let path = try write([(id: 0, bytes: [1, 2, 3])])
        try expectSound(path)
        let header = try header(path)
        #expect((header.addressedTiles, header.entries, header.contents) == (1, 1, 1))
        #expect(header.leaves.length == 0 && header.root.length < 100)
        // The metadata lie in front, so that one request tells all.
        #expect(header.metadata.offset + header.metadata.length == 16_384)
        let data = try Data(contentsOf: URL(filePath: path))
        #expect(Array(data[16_384...]) == [1, 2, 3])
        #expect(directory.names == ["a.pmtiles"])
        #expect(try Archive(path: path).metadata.name == "a")
    }

    @Test func `a point's bounds get an area, and the center's zoom is one of the tiles`() throws {
        var metadata = ArchiveMetadata(name: "a")
        metadata.bounds = LonLatBox(west: 180, south: 5, east: 180, north: 5)
        metadata.center = LonLat(longitude: 180, latitude: 5)
        metadata.centerZoom = 9
        let path = try write([(id: 1, bytes: [1])], metadata: metadata)
        try expectSound(path)
        let header = try header(path)
        #expect(header.bounds == [1_799_999_990, 49_999_990, 1_800_000_000, 50_000_010])
        #expect((header.minZoom, header.maxZoom, header.centerZoom) == (1, 1, 1))
    }

    @Test func `equal tiles are stored once, and equal neighbours are one entry`() throws {
        let (a, b): ([UInt8], [UInt8]) = ([7, 7, 7], [8])
        let path = try write(
            [(0, a), (1, b), (2, b), (3, b), (4, a), (6, a), (7, b)])
        try expectSound(path)
        let header = try header(path)
        #expect((header.addressedTiles, header.entries, header.contents) == (7, 5, 2))
        #expect(header.tiles.length == 4)
        let archive = try Archive(path: path)
        var lookup = try archive.openTiles()
        for (id, bytes) in [(UInt64(2), b), (3, b), (6, a), (7, b)] {
            #expect(try lookup.tile(at: #require(TileID(hilbertID: id))) == bytes)
        }
        #expect(try lookup.tile(at: #require(TileID(hilbertID: 5))) == nil)
        #expect(try archive.zooms() == 0...2)
    }

    #if DEBUG
        static let counts = [4_097, 16_384, 16_385]
    #else
        static let counts = [4_097, 16_384, 16_385, 60_000]
    #endif

    @Test(arguments: counts)
    func `many entries get leaf directories and are all found`(count: Int) throws {
        var random = SeededRandom(seed: UInt64(count))
        var id: UInt64 = 0
        let tiles = (0..<count).map { _ -> (id: UInt64, bytes: [UInt8]) in
            id += 1 + random.next() % 4
            return (id, (0..<(1 + random.next() % 9)).map { _ in UInt8(random.next() % 30) })
        }
        let path = try write(tiles)
        try expectSound(path)
        let header = try header(path)
        #expect(header.root.length <= 16_257)
        #expect(header.leaves.length > 0)
        var lookup = try Archive(path: path).openTiles()
        for (id, bytes) in tiles.shuffled(using: &random).prefix(2_000) {
            #expect(try lookup.tile(at: #require(TileID(hilbertID: id))) == bytes)
        }
        var scan = try Archive(path: path).scan()
        var found: [TileID] = []
        while let tile = try scan.next() { found.append(tile) }
        let expected = tiles.compactMap { TileID(hilbertID: $0.id) }
            .sorted { ($0.z, $0.x, $0.tmsRow) < ($1.z, $1.x, $1.tmsRow) }
        #expect(found == expected)
    }

    @Test func `long metadata lie behind the tiles`() throws {
        var random = SeededRandom(seed: 3)
        var metadata = ArchiveMetadata(name: "a")
        metadata.description = String(
            (0..<60_000).map { _ in
                Character(Unicode.Scalar(UInt8(33 + random.next() % 90)))
            })
        let path = try write([(id: 0, bytes: [1])], metadata: metadata)
        try expectSound(path)
        let header = try header(path)
        #expect(header.metadata.offset == 16_385 && header.root.length == 16_257)
        #expect(try Archive(path: path).metadata.description == metadata.description)
    }

    @Test func `tiles out of order, twice or differently compressed are refused`() throws {
        #expect(throws: ArchiveError.self) { try write([(5, [1]), (3, [1])]) }
        #expect(throws: ArchiveError.self) { try write([(5, [1]), (5, [1])]) }
        #expect(throws: ArchiveError.self) { try write([(5, [1]), (6, [0x1F, 0x8B, 8, 0])]) }
        #expect(directory.names == [])
    }

    // MARK: The pair

    /// A block and the overview, and what the archive says of them.
    private func clusters(
        _ name: String
    ) throws -> (payloads: [[UInt8]], metadata: ArchiveMetadata) {
        let folder = directory.file(name) + "/"
        var gzip = GzipCompressor()
        var archive = PayloadArchive(SampleHierarchy.description(leafCount: 1))
        let index = ClusterBlock(leaves: 0..<1, hull: [GridPoint(x: 5, y: 6)], rows: [])
        archive.blocks = [(gzip.compress(Array(name.utf8).span), index)]
        try archive.write(to: folder)
        let payloads = try (0..<2).map { number in
            Array(try Data(contentsOf: URL(filePath: folder + "clusters/\(number).bin")))
        }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return (payloads, try Archive(path: folder).metadata)
    }

    @Test func `an archive and its clusters appear together and know each other`() throws {
        let one = try clusters("one")
        let path = try write([(0, [1])], metadata: one.metadata, payloads: one.payloads)
        #expect(directory.names == ["a.clusters.pmtiles", "a.pmtiles"])
        let archive = try Archive(path: path)
        #expect(archive.hasClusters && archive.files.count == 2)
        try expectSound(path)
        try expectSound(directory.file("a.clusters.pmtiles"))
        var index = try archive.openClusters()
        let error = #expect(throws: ArchiveError.self) { try index.hull(ofLeafBlock: 9) }
        #expect(error?.description.contains("there is no leaf block 9") == true)
        let two = try clusters("two")
        _ = try write(
            [(0, [1])], to: "b.pmtiles", metadata: two.metadata, payloads: two.payloads)
        try FileManager.default.removeItem(atPath: directory.file("a.clusters.pmtiles"))
        let alone = try Archive(path: path)
        #expect(!alone.hasClusters)
        #expect(throws: ArchiveError.self) { _ = try alone.openClusters() }
        try FileManager.default.copyItem(
            atPath: directory.file("b.clusters.pmtiles"),
            toPath: directory.file("a.clusters.pmtiles"))
        let mixed = try Archive(path: path)
        let clusters = directory.file("a.clusters.pmtiles")
        #expect(!mixed.hasClusters && mixed.clustersFault == .otherClusters(path: clusters))
        #expect(throws: ArchiveError.otherClusters(path: clusters)) { _ = try mixed.openClusters() }
    }

    @Test func `a file of clusters in the way is refused before any work`() throws {
        let clusters = directory.file("a.clusters.pmtiles")
        try Data("mine".utf8).write(to: URL(filePath: clusters))
        #expect(throws: ArchiveError.exists(path: clusters)) { try write([(0, [1])]) }
        #expect(directory.names == ["a.clusters.pmtiles"])
        // What is not a file of clusters is not removed, even by force.
        _ = try write([(0, [1])], forced: true)
        #expect(try String(contentsOfFile: clusters, encoding: .utf8) == "mine")
    }

    @Test func `a pair is replaced by an archive without clusters as a whole`() throws {
        let one = try clusters("one")
        _ = try write([(0, [1])], metadata: one.metadata, payloads: one.payloads)
        let path = try write([(0, [2])], forced: true)
        #expect(directory.names == ["a.pmtiles"])
        #expect(try Archive(path: path).clustersFault == nil)
    }

    @Test func `an archive that appears meanwhile takes nothing with it`() throws {
        let path = directory.file("a.pmtiles")
        let sink = try PMTiles.sink(to: path, options: SinkOptions())
        let one = try clusters("one")
        let payload = one.payloads[0]
        try sink.write(payload: payload.span, sum: "")
        try Data("other".utf8).write(to: URL(filePath: path))
        #expect(throws: ArchiveError.exists(path: path)) { try sink.finish(one.metadata) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "other")
        #expect(!directory.names.contains("a.clusters.pmtiles"))
    }
}
