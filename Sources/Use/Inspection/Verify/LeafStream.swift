import ArchiveContract
import Basics
import Geometry
import TileArchive

/// The points of an archive's leaf blocks, in leaf order.
struct LeafStream: ~Copyable {
    private var blocks: LeafBlockScan
    private let table: LeafBlockTable
    private let path: String
    private var budget: WorkBudget
    private let opener = TileOpener()
    private var digester = TileDigester(takesFingerprints: true)
    private var nodes: [DrawnNode] = []
    private var index = 0
    private var nextBlock: Int64 = 0
    /// The number of the leaf that `next` returns.
    private(set) var number: Int64 = 0
    private(set) var findings = FindingList()

    private static let extents = LeafBlockLayout.extent...LeafBlockLayout.extent

    init(_ archive: Archive, in table: LeafBlockTable) throws(ArchiveError) {
        blocks = try archive.scanLeafBlocks()
        self.table = table
        path = archive.path
        budget = archive.workBudget
    }

    /// The next leaf; nil after the last.
    mutating func next() throws(ArchiveError) -> DrawnNode? {
        while index == nodes.count {
            guard try openBlock() else { return nil }
        }
        defer {
            index += 1
            number += 1
        }
        return nodes[index]
    }

    /// Reads the next block; a block that is missing or damaged is skipped with its leaves.
    private mutating func openBlock() throws(ArchiveError) -> Bool {
        nodes.removeAll(keepingCapacity: true)
        index = 0
        guard let block = try blocks.next() else { return false }
        guard ContractNumber.block.holds(block) else {
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
        number = table.firstLeaf(ofBlock: block)
        let tile = opener.open(blocks.bytes.copied[...])
        try budget.take(bytes: tile.inflatedBytes, of: path)
        var survey = Survey()
        if let fault = digester.digest(tile, into: &survey, nodes: &nodes) {
            findings.add(
                .error, "leaf-blocks", "a leaf block is damaged", at: "block \(block): \(fault)")
            nodes.removeAll()
            return true
        }
        HullCheck.check(
            blocks.hull, of: nodes.map { GridPoint(x: $0.position.x, y: $0.position.y) },
            block: block, &findings)
        if survey.layers.contains(where: { $0.extents != Self.extents }) {
            findings.add(
                .error, "leaf-blocks", "a leaf block's extent is not 2^30", at: "block \(block)")
        }
        return true
    }

    /// Checks how many points there are.
    mutating func finish(expecting count: Int64) throws(ArchiveError) {
        while try next() != nil {}
        guard number != count else { return }
        findings.add(
            .error, "leaf-blocks",
            "the leaf blocks end with point \(number), but the layers have \(count)")
    }
}
