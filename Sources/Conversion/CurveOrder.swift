import Geometry
import TileArchive

/// The numbers of an archive's tiles, zoom by zoom along the Hilbert curve.
///
/// Eight bytes a tile of one zoom: numbers are gathered in runs, each is sorted, and the runs are
/// merged as they are taken. An array of all would be copied whenever it grows.
struct CurveOrder: ~Copyable {
    private let archive: Archive
    private let selection: TileSelection
    private var zooms: [Int]
    private var zoom: UInt8 = 0
    private var runs: [[UInt64]] = []
    /// Runs with what is left of them, as a heap: the one with the least number comes first.
    private var heap: [(next: UInt64, run: Int, index: Int)] = []

    private static let runLength = 1 << 19

    init(_ archive: Archive, _ selection: TileSelection) throws(ArchiveError) {
        self.archive = archive
        self.selection = selection
        zooms = selection.zooms.reversed()
    }

    /// The next tile; nil behind the last.
    mutating func next() throws(ArchiveError) -> TileID? {
        while heap.isEmpty {
            guard let zoom = zooms.popLast() else { return nil }
            try gather(UInt8(zoom))
        }
        let (distance, run, index) = heap[0]
        if index + 1 < runs[run].count {
            heap[0] = (runs[run][index + 1], run, index + 1)
        } else {
            heap[0] = heap[heap.count - 1]
            heap.removeLast()
        }
        sink(0)
        let cell = Hilbert.cell(at: distance, order: zoom)
        return TileID(z: zoom, x: cell.x, y: cell.y)
    }

    private mutating func gather(_ zoom: UInt8) throws(ArchiveError) {
        self.zoom = zoom
        runs.removeAll()
        var numbers = try archive.scanNumbers(zooms: Int(zoom)...Int(zoom))
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
        heap = runs.indices.map { (runs[$0][0], $0, 0) }
        for index in heap.indices.reversed() { sink(index) }
    }

    private mutating func close(_ run: inout [UInt64]) {
        guard !run.isEmpty else { return }
        run.sort()
        runs.append(run)
        run = []
    }

    /// Moves an entry of the heap down to where it belongs.
    private mutating func sink(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < heap.count && heap[child].next < heap[least].next {
                least = child
            }
            guard least != index else { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
