import ArchiveContract
import Conversion
import Foundation
import Geometry
import Synchronization
import Testing
import TileArchive
import VectorTile

/// What is told while an archive is converted, and what is asked.
struct TransferTests {
    let files = try! BakedFiles()

    private final class Told: Sendable {
        private let numbers = Mutex<[String: [Int]]>([:])
        /// The unit at which it is stopped.
        let last: String?

        init(stoppingAt last: String? = nil) { self.last = last }

        func note(_ done: Int, _ unit: String) {
            numbers.withLock { $0[unit, default: []].append(done) }
        }
        subscript(unit: String) -> [Int] { numbers.withLock { $0[unit] ?? [] } }
        var isStopped: Bool { last.map { !self[$0].isEmpty } ?? false }
    }

    private func convert(
        _ archive: Archive, _ name: String, _ told: Told,
        change: (inout ConversionOptions) -> Void = { _ in }
    ) throws -> ConversionReport {
        let (path, container, options) = try output(name, told, change)
        return try ArchiveConversion(
            archive, to: path, in: container, options: options, progress: told.note
        ).run()
    }

    private func join(
        _ archives: [Archive], _ name: String, _ told: Told = Told(),
        change: (inout ConversionOptions) -> Void = { _ in }
    ) throws -> ConversionReport {
        let (path, container, options) = try output(name, told, change)
        return try ArchiveJoin(
            archives, to: path, in: container, options: options, progress: told.note
        ).run()
    }

    /// Where something goes, and how.
    private func output(
        _ name: String, _ told: Told, _ change: (inout ConversionOptions) -> Void
    ) throws -> (String, any ArchiveContainer.Type, ConversionOptions) {
        var options = ConversionOptions()
        options.sink.folder.keepsGzip = true
        options.isCancelled = { told.isStopped }
        change(&options)
        let path = files.file(name)
        return (path, try #require(ArchiveContainers.container(named: path)), options)
    }

    @Test func `tiles and blocks are told as they are done, whatever the containers`() throws {
        let points = try files.points("p", count: 150, seed: 3, text: 1_000)
        let built = try files.build("a.mbtiles", [("p", points)], tiles: ["maxZoom": 2])
        let other = try files.build("o.mbtiles", [("o", points)], tiles: ["maxZoom": 2])
        _ = try files.convert(built, "a.pmtiles")
        let paired = try Archive(path: files.file("a.pmtiles"))
        let ways: [(String, (Told) throws -> ConversionReport)] = [
            ("scanned", { try convert(built, "b.mbtiles", $0) }),
            ("looked up", { try convert(built, "b.pmtiles", $0) }),
            ("along the curve", { try convert(paired, "c.pmtiles", $0) }),
            ("to files", { try convert(paired, "d/", $0) }),
            ("joined", { try join([built, other], "e.mbtiles", $0) }),
            ("joined along the curve", { try join([built, other], "f.pmtiles", $0) }),
        ]
        for (name, way) in ways {
            let told = Told()
            let report = try way(told)
            #expect(told["tiles"].last == report.tiles && report.tiles > 9, "\(name)")
            #expect(told["tiles"] == told["tiles"].sorted(), "\(name)")
            #expect(report.leafBlocks > 0 && report.clusters > 0)
            #expect(told["leaf blocks"] == Array(1...report.leafBlocks), "\(name)")
        }
        // Whatever it is at, it can be stopped, and leaves nothing behind.
        for unit in ["tiles", "leaf blocks"] {
            #expect(throws: ConversionError.cancelled) {
                try convert(built, "x.pmtiles", Told(stoppingAt: unit))
            }
            #expect(throws: ConversionError.cancelled) {
                try join([built, other], "x.pmtiles", Told(stoppingAt: unit))
            }
            #expect(throws: (any Error).self) { try Archive(path: files.file("x.pmtiles")) }
        }
    }

    @Test func `tiles are packed as the first archive's were, or as it is said`() throws {
        let points = try files.points("p", count: 300, seed: 3)
        let parts = try [1, 9].map { level in
            try files.build(
                "\(level).mbtiles", [("l\(level)", points)],
                tiles: ["maxZoom": 2, "compression": .integer(level)])
        }
        func tiles(_ archives: [Archive], _ name: String, level: Int?) throws -> [TileID: [UInt8]] {
            _ = try join(archives, name) { $0.compression = level }
            return try Contents(of: Archive(path: files.file(name))).tiles
        }
        let (low, high) = (
            try tiles(parts, "low.mbtiles", level: 1), try tiles(parts, "high.mbtiles", level: 9)
        )
        #expect(low != high)
        #expect(try tiles(parts, "usual.mbtiles", level: nil) == low)
        #expect(
            try tiles(parts.reversed(), "turned.mbtiles", level: nil)
                == tiles(parts.reversed(), "turned9.mbtiles", level: 9))
    }

    /// A point in each tile of three zooms, and metadata that tell of more.
    private func claiming(_ zooms: (UInt8, UInt8)?) throws -> Archive {
        let path = files.file("claims\(zooms == nil).mbtiles")
        try? FileManager.default.removeItem(atPath: path)
        let writer = try MBTilesWriter(to: path)
        for zoom in UInt8(1)...3 {
            var builder = TileBuilder()
            builder.beginLayer("l")
            builder.beginPoint(id: nil, x: 2_048, y: 2_048)
            builder.endFeature()
            builder.endLayer()
            let bytes = builder.copyBytes()
            try writer.write(TileID(z: zoom, x: 0, y: 0), gzip: bytes.span)
        }
        var metadata = ArchiveMetadata(name: "claims")
        metadata.bounds = LonLatBox(west: -179, south: -80, east: 179, north: 80)
        (metadata.minZoom, metadata.maxZoom) = (zooms?.0, zooms?.1)
        metadata.vectorLayers = [VectorLayer(id: "l", fields: [.init("none", .number)])]
        try writer.finish(metadata)
        return try Archive(path: path)
    }

    @Test
    func `what an archive says stays where all of it is taken, and else is that of its tiles`()
        throws
    {
        for (said, zooms, isWhole) in [
            ((1, 3), 0...31, true), ((1, 3), 1...3, true), ((1, 3), 0...3, true),
            ((1, 3), 1...31, true), ((1, 3), 2...3, false), ((1, 3), 1...2, false),
            (nil, 0...31, true), (nil, 1...31, false), (nil, 0...30, false),
        ] as [((UInt8, UInt8)?, ClosedRange<Int>, Bool)] {
            let archive = try claiming(said)
            let (part, _) = try files.convert(archive, "part.pmtiles") {
                $0.selection = TileSelection(zooms: zooms)
                $0.sink.replacesExisting = true
            }
            #expect((part.metadata.bounds?.west == -179) == isWhole, "\(zooms)")
            #expect(part.metadata.vectorLayers[0].fields.isEmpty == !isWhole, "\(zooms)")
        }
    }

    /// Tiles of one content are handed over as runs.
    @Test func `tiles that share their bytes all come along`() throws {
        let sink = try PMTiles.sink(to: files.file("runs.pmtiles"), options: SinkOptions())
        var count = 0
        for (zoom, distances, byte) in [(3, 2..<9, 1), (3, 9..<10, 2), (4, 0..<200, 1)]
            as [(UInt8, Range<UInt64>, UInt8)]
        {
            let bytes: [UInt8] = [0x1F, 0x8B, byte]
            try sink.write(TileRun(zoom: zoom, distances: distances), gzip: bytes.span)
            count += distances.count
        }
        try sink.finish(ArchiveMetadata(name: "runs"))
        let archive = try Archive(path: files.file("runs.pmtiles"))
        let contents = try Contents(of: archive)
        #expect(contents.tiles.count == count)
        for (name, change) in [
            ("a.pmtiles", { _ in }), ("a.mbtiles", { _ in }), ("a/", { _ in }),
            ("b.pmtiles", { $0.selection = TileSelection(zooms: 3...4) }),
        ] as [(String, (inout ConversionOptions) -> Void)] {
            let (copy, report) = try files.convert(archive, name, change: change)
            #expect(try Contents(of: copy) == contents, "\(name)")
            #expect(report.tiles == count && report.bytes == 3 * count && report.zooms == 3...4)
        }
    }
}
