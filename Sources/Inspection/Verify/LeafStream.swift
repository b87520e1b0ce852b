import Compression
import Geometry
import SQLite
import TileArchive
import VectorTile

/// The points of an archive's leaf blocks, in leaf order.
struct LeafStream: ~Copyable {
    private var blocks: Statement
    private let opener = TileOpener()
    private var digester = TileDigester(takesFingerprints: true)
    private var nodes: [Node] = []
    private var place = 0
    private var nextBlock: Int64 = 0
    /// A statement that has come to its end would begin again.
    private var isAtEnd = false
    /// The number of the leaf that `next` gives.
    private(set) var number: Int64 = 0
    private(set) var findings = FindingList()

    init(_ database: consuming Database) throws(SQLiteError) {
        blocks = try database.prepare(
            "SELECT block, data FROM covey_leaf_blocks ORDER BY block")
    }

    /// The next leaf; nil behind the last.
    mutating func next() throws(SQLiteError) -> Node? {
        while place == nodes.count {
            guard try openBlock() else { return nil }
        }
        defer {
            place += 1
            number += 1
        }
        return nodes[place]
    }

    /// Reads the next block; one that is missing or damaged is passed over, leaves and all.
    private mutating func openBlock() throws(SQLiteError) -> Bool {
        nodes.removeAll(keepingCapacity: true)
        place = 0
        guard !isAtEnd, try blocks.step() else {
            isAtEnd = true
            return false
        }
        let block = blocks.integer(at: 0)
        guard (0...(1 << 40)).contains(block) else {
            findings.add(
                .error, "leaf-blocks", "a leaf block has an impossible number", at: "\(block)")
            return true
        }
        if block != nextBlock {
            findings.add(
                .error, "leaf-blocks", "a leaf block is missing", at: "block \(nextBlock)",
                count: Int(clamping: max(1, block - nextBlock)))
        }
        nextBlock = block + 1
        number = block * ClusterIndex.leavesPerBlock
        let tile = opener.open(TileID(z: 0, x: 0, y: 0), blocks.blob(at: 1))
        var survey = Survey()
        if let fault = digester.digest(tile, into: &survey, nodes: &nodes) {
            findings.add(
                .error, "leaf-blocks", "a leaf block is damaged", at: "block \(block): \(fault)")
            nodes.removeAll()
        }
        if survey.layers.contains(where: { $0.extents != 1 << 30...1 << 30 }) {
            findings.add(
                .error, "leaf-blocks", "a leaf block's extent is not 2^30", at: "block \(block)")
        }
        return true
    }

    /// Says how many points there should have been.
    mutating func finish(expecting count: Int64) throws(SQLiteError) {
        while try next() != nil {}
        guard number != count else { return }
        findings.add(
            .error, "leaf-blocks",
            "the leaf blocks end with point \(number), but the layers have \(count)")
    }
}
