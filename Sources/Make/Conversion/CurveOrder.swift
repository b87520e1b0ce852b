import Basics
import Geometry
import TileArchive

/// The numbers of an archive's tiles, zoom by zoom along the Hilbert curve.
///
/// It needs eight bytes for each tile of one zoom: numbers are gathered in runs, each run is sorted, and the
/// runs are merged while they are read. A single array would be copied whenever it grows.
struct CurveOrder: ~Copyable {
    private let archive: Archive
    private let selection: TileSelection
    private var zooms: [Int]
    private var zoom: UInt8 = 0
    private var runs: [[UInt64]] = []
    /// The runs by their next number.
    private var heap = LeastFirst<Keyed<UInt64, Int>>()
    /// How many numbers of each run have been read.
    private var taken: [Int] = []

    private static let runLength = 1 << 19

    init(_ archive: Archive, _ selection: TileSelection) {
        self.archive = archive
        self.selection = selection
        zooms = selection.zooms.reversed()
    }

    /// The next tile; nil after the last.
    mutating func next() throws(ArchiveError) -> TileID? {
        while true {
            guard let least = heap.least else {
                guard let zoom = zooms.popLast() else { return nil }
                try gather(UInt8(zoom))
                continue
            }
            let run = least.item
            taken[run] += 1
            if taken[run] < runs[run].count {
                heap.replaceLeast(by: Keyed(runs[run][taken[run]], run))
            } else {
                _ = heap.removeLeast()
            }
            return tile(at: least.key)
        }
    }

    private func tile(at distance: UInt64) -> TileID {
        let cell = Hilbert.cell(at: distance, order: zoom)
        return TileID(z: zoom, x: cell.x, y: cell.y)
    }

    private mutating func gather(_ zoom: UInt8) throws(ArchiveError) {
        self.zoom = zoom
        runs.removeAll()
        let numbers = try archive.scanNumbers(zooms: Int(zoom)...Int(zoom))
        var run: [UInt64] = []
        while let tile = try numbers.next() {
            guard selection.contains(tile) else { continue }
            if run.count == Self.runLength {
                close(&run)
                run.reserveCapacity(Self.runLength)
            }
            run.append(Hilbert.distance(x: tile.x, y: tile.y, order: zoom))
        }
        close(&run)
        taken = runs.map { _ in 0 }
        for run in runs.indices { heap.insert(Keyed(runs[run][0], run)) }
    }

    private mutating func close(_ run: inout [UInt64]) {
        guard !run.isEmpty else { return }
        run.sort()
        runs.append(run)
        run = []
    }
}
