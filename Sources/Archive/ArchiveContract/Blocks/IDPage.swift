import Basics

/// Some ids of clusters, ascending, and what each refers to. Pages are in the order of their ids.
public struct IDPage: Equatable, Sendable {
    /// What the ids refer to.
    public enum Targets: Equatable, Sendable {
        /// For each id its block, as an index of the blocks that the page lists.
        case blocks([Int])
        /// In format 3: the first leaf of each.
        case leaves([Int64])
    }

    public var ids: [Int64]
    public var targets: Targets

    public init(ids: [Int64], blocks: [Int]) {
        self.ids = ids
        targets = .blocks(blocks)
    }

    /// The most ids that a page has.
    public static let size = 4_096

    /// The most bytes of an inflated page: an id and a leaf take at most 8 bytes each.
    public static let largest = 20 * size

    public var first: Int64? { ids.first }

    /// The index of an id in the page; nil if the page does not have it.
    /// - Complexity: O(log n).
    public func index(of id: Int64) -> Int? {
        let index = ids.indices.partitionPoint { ids[$0] >= id }
        return index < ids.count && ids[index] == id ? index : nil
    }

    public var packed: [UInt8] {
        var message = MessageWriter()
        message.field(BlockField.format, ClusterBlock.format)
        message.list(BlockField.ids, ids.differences.map(UInt64.init))
        if case .blocks(let blocks) = targets {
            message.list(BlockField.pageTargets, blocks.map(UInt64.init))
        }
        return MessageWriter.tile(BlockField.page, message)
    }

    /// Reads a page, and rejects values that could mislead a query.
    /// - Parameters:
    ///   - bytes: a payload, inflated.
    ///   - listed: the number of blocks that the page lists.
    public init(unpacking bytes: [UInt8], listing listed: Int) throws(ClusterBlockError) {
        let fields = try MessageFields(BlockField.page, of: bytes)
        let steps = try fields.list(BlockField.ids, most: Self.size)
        let targets = try fields.list(BlockField.pageTargets, most: Self.size)
        guard steps.count == targets.count, !steps.isEmpty else {
            throw .garbled("its lists differ in length")
        }
        guard let ids = steps.ascendingIDs else { throw .garbled("its ids are out of order") }
        self.ids = ids
        guard fields.format > 1 else {
            self.targets = .leaves(try Self.leaves(targets))
            return
        }
        guard targets.allSatisfy({ $0 < UInt64(listed) }) else {
            throw .garbled("an id refers to a block that does not exist")
        }
        self.targets = .blocks(targets.map(Int.init))
    }

    private static func leaves(_ steps: [UInt64]) throws(ClusterBlockError) -> [Int64] {
        var leaves: [Int64] = []
        for step in steps {
            let (sum, isTooFar) = (leaves.last ?? 0).addingReportingOverflow(Varint.zigzag(step))
            guard !isTooFar, ContractNumber.first.holds(sum) else {
                throw .garbled("an id refers to a leaf that does not exist")
            }
            leaves.append(sum)
        }
        return leaves
    }
}

extension [UInt64] {
    /// The ids with these differences; nil if they do not ascend, or one is out of range.
    var ascendingIDs: [Int64]? {
        var ids: [Int64] = []
        var last: Int64 = 0
        for step in self {
            guard step > 0, step < UInt64(ClusterIDs.limit), last + Int64(step) < ClusterIDs.limit
            else { return nil }
            last += Int64(step)
            ids.append(last)
        }
        return ids
    }
}
