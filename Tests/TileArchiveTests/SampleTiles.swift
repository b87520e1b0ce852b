import Geometry
import TestSupport
import TileArchive

/// Tiles with random places and contents, no place twice.
struct SampleTiles {
    var tiles: [TileID: [UInt8]] = [:]

    init(count: Int, maxZoom: UInt8 = 14, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        while tiles.count < count {
            let z = UInt8.random(in: 0...maxZoom, using: &random)
            let last = UInt32((1 << UInt64(z)) - 1)
            let id = TileID(
                z: z, x: .random(in: 0...last, using: &random),
                y: .random(in: 0...last, using: &random))
            tiles[id] = (0..<Int.random(in: 0...300, using: &random)).map { _ in
                UInt8(truncatingIfNeeded: random.next())
            }
        }
    }

    /// By zoom, column and TMS row, the order of an archive's keys.
    var sorted: [TileID] {
        tiles.keys.sorted { ($0.z, $0.x, $0.tmsRow) < ($1.z, $1.x, $1.tmsRow) }
    }

    func write(_ order: [TileID], to path: String, replacing: Bool = false) throws {
        var options = SinkOptions()
        options.replacesExisting = replacing
        let writer = try MBTilesWriter(to: path, options: options)
        for id in order {
            let bytes = tiles[id] ?? []
            try writer.write(id, gzip: bytes.span)
        }
        try writer.finish(ArchiveMetadata(name: "sample"))
    }
}

extension Array {
    init(copying span: borrowing Span<Element>) where Element: BitwiseCopyable {
        self = span.withUnsafeBufferPointer { Array($0) }
    }
}
