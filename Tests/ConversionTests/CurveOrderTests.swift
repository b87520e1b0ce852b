import ArchiveContract
import Conversion
import Geometry
import TestSupport
import Testing
import TileArchive

/// Sinks that want tiles along the curve get them so, whatever order an archive has.
struct CurveOrderTests {
    let files = try! BakedFiles()

    @Test func `tiles come along the curve, each once, with their bytes`() throws {
        var random = SeededRandom(seed: 8)
        var tiles: [TileID: [UInt8]] = [:]
        while tiles.count < 4_000 {
            let zoom = UInt8.random(in: 0...9, using: &random)
            let last = UInt32((1 << UInt64(zoom)) - 1)
            let tile = TileID(
                z: zoom, x: .random(in: 0...last, using: &random),
                y: .random(in: 0...last, using: &random))
            tiles[tile] = [0x1F, 0x8B, UInt8(tiles.count & 255), UInt8(tiles.count >> 8)]
        }
        let writer = try MBTilesWriter(to: files.file("a.mbtiles"))
        for (tile, bytes) in tiles { try writer.write(tile, gzip: bytes.span) }
        try writer.finish(ArchiveMetadata(name: "a"))
        let archive = try Archive(path: files.file("a.mbtiles"))
        // One that has them in that order, and one that has not.
        let (curved, _) = try files.convert(archive, "a.pmtiles")
        for archive in [archive, curved] {
            CurveSink.latest = nil
            var options = ConversionOptions()
            options.selection = TileSelection(zooms: 2...9)
            let report = try ArchiveConversion(
                archive, to: files.file("x"), in: CurveContainer.self, options: options
            ).run()
            let sink = try #require(CurveSink.latest)
            let wanted = tiles.filter { $0.key.z >= 2 }
            #expect(sink.tiles == wanted.keys.sorted())
            #expect(sink.contents == wanted && report.tiles == wanted.count)
        }
    }
}

/// A container that is only written to.
private enum CurveContainer: ArchiveContainer {
    case none

    static let name = "curve"
    static let endings: [String] = []
    static func mayStart(with bytes: [UInt8]) -> Bool { false }
    static func sink(to path: String, options: SinkOptions) -> any ArchiveSink {
        let sink = CurveSink()
        CurveSink.latest = sink
        return sink
    }

    init(path: String) throws(ArchiveError) { throw .unreadable(path: path, reason: "never") }

    var metadata: ArchiveMetadata { ArchiveMetadata(name: "") }
    var layout: ArchiveLayout { ArchiveLayout(name: "", words: "") }
    var warnings: [ArchiveWarning] { [] }
    var hasClusters: Bool { false }
    func tileFinder(cacheBytes: Int) throws(ArchiveError) -> any TileFinder { throw nothing }
    func tileWalk(zooms: ClosedRange<Int>) throws(ArchiveError) -> any TileWalk { throw nothing }
    func audit() -> ContainerAudit { ContainerAudit() }
    private var nothing: ArchiveError { .noClusters(path: "") }
}

private final class CurveSink: ArchiveSink {
    nonisolated(unsafe) static var latest: CurveSink?

    let tileOrder = TileOrder.alongHilbertCurve
    var tiles: [TileID] = []
    var contents: [TileID: [UInt8]] = [:]

    func write(_ tile: TileID, gzip bytes: Span<UInt8>) {
        tiles.append(tile)
        contents[tile] = Array(copying: bytes)
    }
    func write(payload: Span<UInt8>, sum: String) {}
    func finish(_ metadata: ArchiveMetadata) {}
}
