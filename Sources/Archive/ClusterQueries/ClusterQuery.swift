import ArchiveContract
import Geometry
import TileArchive
import VectorTile

/// Queries about an archive's clusters. They are answered from its index and its leaf blocks as a live clustering
/// engine would answer them. Only one thread at a time may use a query.
///
///     var query = try ClusterQuery(archive)
///     let page = try query.leaves(of: id, offset: 20, limit: 10)
public struct ClusterQuery: ~Copyable, Sendable {
    private var index: ClusterIndex
    let path: String
    /// The leaf block that was read last, as queries often ask for neighbours one after another.
    private var current: LeafBlock?
    /// The positions of points in recently read blocks: the outlines of clusters larger than a block have one end
    /// in common, and the other nearby.
    private var known: [(block: Int64, positions: [WorldPoint])] = []

    private static let mostKnown = 16

    public init(_ archive: Archive) throws(ClusterQueryError) {
        path = archive.path
        do {
            index = try archive.openClusters()
        } catch {
            throw .archive(error)
        }
    }

    /// The archive's description of its clusters.
    public var description: ClusterDescription { index.description }

    /// The division of leaves into blocks.
    package var table: LeafBlockTable { index.table }

    // MARK: Hierarchy

    /// The cluster with this id.
    public mutating func cluster(_ id: Int64) throws(ClusterQueryError) -> ClusterRecord {
        try asking { index throws(ArchiveError) in try index.cluster(id) }
    }

    /// Some of the nodes that the cluster comes apart into, in leaf order: at most `limit` nodes from number
    /// `offset` on.
    public mutating func children(
        of id: Int64, offset: Int64 = 0, limit: Int = ClusterIndex.mostNodes
    ) throws(ClusterQueryError) -> NodePage {
        try asking { index throws(ArchiveError) in
            try index.children(of: id, offset: offset, limit: limit)
        }
    }

    /// The cluster that this one becomes part of at lower zooms; nil for a root.
    public mutating func parent(of id: Int64) throws(ClusterQueryError) -> ClusterRecord? {
        try asking { index throws(ArchiveError) in try index.parent(of: id) }
    }

    /// The node that is drawn at `zoom` for a point: its cluster, or the point itself.
    public mutating func node(
        holding leaf: Int64, at zoom: Int
    ) throws(ClusterQueryError) -> ClusterNode {
        try asking { index throws(ArchiveError) in try index.node(holding: leaf, at: zoom) }
    }

    // MARK: Leaves

    /// The most that one point may carry, and all points of a page together, in bytes of keys and values.
    public static let mostBytesOfLeaf = LeafBlockLayout.largestLeaf

    /// Points of the cluster: at most `limit` from number `offset` on, as long as they carry no more than
    /// `mostBytes` together.
    public mutating func leaves(
        of id: Int64, offset: Int64 = 0, limit: Int64 = .max, mostBytes: Int = .max
    ) throws(ClusterQueryError) -> [Leaf] {
        try leaves(leafNumbers(of: id, offset: offset, limit: limit), mostBytes: mostBytes)
    }

    /// The numbers of the cluster's points: at most `limit` from the point `offset` on.
    public mutating func leafNumbers(
        of id: Int64, offset: Int64 = 0, limit: Int64 = .max
    ) throws(ClusterQueryError) -> Range<Int64> {
        let all = try cluster(id).leaves
        let first = all.lowerBound + min(max(offset, 0), Int64(all.count))
        return first..<(first + min(max(limit, 0), all.upperBound - first))
    }

    /// Calls `body` with the points with these leaf numbers, block by block: they may be too many for memory.
    public mutating func forEachBlock(
        of numbers: Range<Int64>, _ body: ([Leaf]) throws -> Void
    ) throws {
        for part in try parts(of: numbers) { try body(leaves(part.leaves)) }
    }

    private func parts(of numbers: Range<Int64>) throws(ClusterQueryError) -> BlockParts {
        guard numbers.upperBound <= table.leafCount else {
            throw .archive(
                .unknownLeaf(path: path, leaf: max(numbers.lowerBound, table.leafCount)))
        }
        return BlockParts(of: numbers, in: table)
    }

    /// The points with these leaf numbers, as long as they carry no more than `mostBytes` together; the first one
    /// is always included.
    public mutating func leaves(
        _ numbers: Range<Int64>, mostBytes: Int = .max
    ) throws(ClusterQueryError) -> [Leaf] {
        var found: [Leaf] = []
        var bytesLeft = mostBytes
        for part in try parts(of: numbers) {
            let taken = try taking(
                part.indexes, ofBlock: part.block, mostBytes: bytesLeft, takesFirst: found.isEmpty)
            found += taken.leaves
            guard !taken.isCut else {
                guard taken.isBeforeHuge, found.isEmpty || mostBytes == .max else { return found }
                let next = part.leaves.lowerBound + Int64(taken.leaves.count)
                throw .largeLeaf(path: path, leaf: next)
            }
            guard taken.leaves.count == part.indexes.count else {
                throw missing(taken.leaves.count, of: part)
            }
            bytesLeft = max(bytesLeft - taken.bytes, 0)
        }
        return found
    }

    /// Reads points of a block, by their numbers in it in ascending order.
    mutating func taking(
        _ indexes: some Collection<Int>, ofBlock number: Int64, mostBytes: Int, takesFirst: Bool
    ) throws(ClusterQueryError) -> LeafBlock.Taken {
        try reading(block(number)) { block throws(TileError) in
            try block.leaves(at: indexes, mostBytes: mostBytes, takesFirst: takesFirst)
        }
    }

    private func missing(_ found: Int, of part: BlockParts.Part) -> ClusterQueryError {
        .archive(.unknownLeaf(path: path, leaf: part.leaves.lowerBound + Int64(found)))
    }

    /// The positions of the points in a part of a block.
    mutating func positions(of part: BlockParts.Part) throws(ClusterQueryError) -> [WorldPoint] {
        let all = try positions(ofBlock: part.block)
        let found = all[part.indexes.clamped(to: all.indices)]
        guard found.count == part.indexes.count else { throw missing(found.count, of: part) }
        return Array(found)
    }

    /// The positions of all points of a block.
    mutating func positions(ofBlock number: Int64) throws(ClusterQueryError) -> [WorldPoint] {
        if let index = known.firstIndex(where: { $0.block == number }) {
            known.append(known.remove(at: index))
            return known[known.count - 1].positions
        }
        let block = try block(number)
        let positions = try reading(block) { block throws(TileError) in try block.positions() }
        known.append((number, positions))
        if known.count > Self.mostKnown { known.removeFirst() }
        return positions
    }

    /// The corners of a block's hull that the archive stores, in the unit square.
    mutating func hull(ofBlock number: Int64) throws(ClusterQueryError) -> [GridPoint] {
        try asking { index throws(ArchiveError) in try index.hull(ofLeafBlock: number) }
    }

    /// The stored hull of a large cluster, if the archive has it.
    mutating func keptOutline(of key: ClusterKey) throws(ClusterQueryError) -> [GridPoint]? {
        try asking { index throws(ArchiveError) in try index.outline(of: key) }
    }

    /// The stored boxes of all blocks, if the archive has them in one place.
    mutating func keptBoxes() throws(ClusterQueryError) -> [GridBox]? {
        try asking { index throws(ArchiveError) in try index.blockBoxes() }
    }

    // MARK: Blocks

    private mutating func block(_ number: Int64) throws(ClusterQueryError) -> LeafBlock {
        if let current, current.number == number { return current }
        let bytes = try asking { index throws(ArchiveError) in
            try index.leafBlock(number, limit: LeafBlockLayout.largestBlock)
        }
        let block = LeafBlock(
            number: number, firstLeaf: table.firstLeaf(ofBlock: number), bytes: bytes)
        // A block of an untrusted file may claim any number of points, each of which would be looked at.
        let count = try reading(block) { block throws(TileError) in try block.pointCount() }
        let wanted = table.leaves(ofBlock: number).count
        guard count <= wanted else {
            throw .tooManyPoints(path: path, block: number, points: count, wanted: wanted)
        }
        current = block
        return block
    }

    private func reading<Found>(
        _ block: LeafBlock, _ read: (LeafBlock) throws(TileError) -> Found
    ) throws(ClusterQueryError) -> Found {
        do {
            return try read(block)
        } catch {
            throw .badLeafBlock(path: path, block: block.number, error)
        }
    }

    private mutating func asking<Answer>(
        _ question: (inout ClusterIndex) throws(ArchiveError) -> Answer
    ) throws(ClusterQueryError) -> Answer {
        do {
            return try question(&index)
        } catch {
            throw .archive(error)
        }
    }
}
