import ArchiveContract
import Basics
import Geometry
import Points

/// The ids of some clusters of a layer, ascending, with the first leaf of each, counted from that
/// of the node handed up above it. The top says where these nodes begin.
struct SortedIDs: Sendable {
    var ids = Column<Int64>()
    /// The numbers of these nodes in the layer.
    var roots = Column<UInt32>()
    var offsets = Column<Int>()
    private var next = 0

    init() {}

    /// Reads them from a block of a file.
    init(in reader: JobFileReader, at offset: Int) throws {
        self = try reader.decodeBlock(at: offset) { (source) throws(BlockSource.Damaged) in
            try SortedIDs(from: &source)
        }
    }

    private init(from source: inout BlockSource) throws(BlockSource.Damaged) {
        var id: Int64 = 0
        for _ in 0..<(try source.varint()) {
            let (next, isTooLarge) = id.addingReportingOverflow(Int64(try source.varint()))
            guard !isTooLarge, let root = UInt32(exactly: try source.varint()) else {
                throw BlockSource.Damaged()
            }
            id = next
            ids.append(id)
            roots.append(root)
            let offset = try source.varint()
            guard offset < BlockSource.countLimit else { throw BlockSource.Damaged() }
            offsets.append(offset)
        }
    }

    /// Each id by its distance from the one before.
    var bytes: [UInt8] {
        var sink = BlockSink()
        sink.write(varint: ids.count)
        var last: Int64 = 0
        for index in 0..<ids.count {
            sink.write(varint: Int(ids[index] - last))
            sink.write(varint: Int(roots[index]))
            sink.write(varint: offsets[index])
            last = ids[index]
        }
        return sink.bytes
    }

    /// The ids by the cells in which their clusters stand.
    func byCell(in division: CellDivision) -> [(cell: Int, ids: SortedIDs)] {
        var parts: [(Int, SortedIDs)] = []
        var start = 0
        while start < ids.count {
            let cell = division.cell(ofID: ids[start])
            let end = (start..<ids.count).partitionPoint { division.cell(ofID: ids[$0]) > cell }
            var part = SortedIDs()
            part.ids.append(contentsOf: ids.span.extracting(start..<end))
            part.roots.append(contentsOf: roots.span.extracting(start..<end))
            part.offsets.append(contentsOf: offsets.span.extracting(start..<end))
            parts.append((cell, part))
            start = end
        }
        return parts
    }

    /// A sum over all of them.
    var sum: UInt64 {
        (0..<ids.count).reduce(0) { sum, index in
            [UInt64(ids[index]), UInt64(roots[index]), UInt64(offsets[index])]
                .reduce(sum, PointsSum.mixed)
        }
    }

    var least: Int64? { next < ids.count ? ids[next] : nil }

    mutating func take() -> (id: Int64, root: Int, offset: Int) {
        defer { next += 1 }
        return (ids[next], Int(roots[next]), offsets[next])
    }
}

/// Gathers the clusters of a layer for their ids to be sorted.
struct IDSorting {
    private var all: [(id: Int64, root: UInt32, offset: Int)] = []
    private var rootCount = 0

    /// Adds the clusters of a hierarchy, in the order of their leaves.
    /// - Parameter firstLeaves: the first leaves of the nodes that are handed up; these are numbered after those added before.
    mutating func add(_ nodes: CellNodes, _ firstLeaves: Column<Int>) {
        var root = 0
        for cluster in 0..<nodes.ids.count {
            let leaf = nodes.nodes.firsts[cluster]
            while root + 1 < firstLeaves.count, firstLeaves[root + 1] <= leaf { root += 1 }
            all.append((nodes.ids[cluster], UInt32(rootCount + root), leaf - firstLeaves[root]))
        }
        rootCount += firstLeaves.count
    }

    var sorted: SortedIDs {
        var sorted = SortedIDs()
        for (id, root, offset) in all.sorted(by: { $0.id < $1.id }) {
            sorted.ids.append(id)
            sorted.roots.append(root)
            sorted.offsets.append(offset)
        }
        return sorted
    }
}

/// The ids of a layer's clusters in one part that stand in one cell.
struct IDRun: Equatable, Sendable {
    let cell: Int
    /// The range of their block in the part's file.
    let bytes: Range<Int>
    /// A sum over them, and over their first leaves.
    let sum: UInt64
}

extension CellDivision {
    /// The cell in which the cluster with an id stands.
    func cell(ofID id: Int64) -> Int {
        let place = PlaceID(id)?.place ?? 0
        let rest = 2 * UInt64(TileID.deepestZoom - UInt8(NameGrid.finestBits))
        return max(0, cells.indices.partitionPoint { cells[$0].curveDistance >> rest > place } - 1)
    }
}

extension IDRun: BlockRecord {
    static var layout: BlockLayout<Self> { .init(Self.init, \.cell, \.bytes, \.sum) }
}

extension CellJob {
    /// Whether a part may have these ids of each layer's clusters.
    func mayHave(_ ids: [[IDRun]]) -> Bool {
        ids.count == plan.layers.count
            && ids.joined().allSatisfy { division.cells.indices.contains($0.cell) }
    }
}
