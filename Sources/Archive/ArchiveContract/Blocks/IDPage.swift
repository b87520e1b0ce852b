/// Some ids of clusters, by ascending number, and the first leaf of each: what leads from an id to a key
/// where ids are places. Pages follow one another in the order of their ids.
public struct IDPage: Equatable, Sendable {
    public var ids: [Int64] = []
    public var firstLeaves: [Int64] = []

    public init() {}

    /// How many ids a page has; the last may have fewer.
    public static let size = 4_096

    /// What is larger, inflated, is no page: an id and a leaf take 8 bytes each at most.
    public static let largest = 20 * size

    public var count: Int { ids.count }
    public var first: Int64? { ids.first }

    public mutating func append(_ id: Int64, firstLeaf: Int64) {
        ids.append(id)
        firstLeaves.append(firstLeaf)
    }

    /// The key of a cluster, if the page has it.
    /// - Complexity: O(log n).
    public func key(of id: Int64) -> ClusterKey? {
        let index = ids.indices.partitionPoint { ids[$0] >= id }
        guard index < ids.count, ids[index] == id, let place = PlaceID(id) else { return nil }
        return ClusterKey(firstLeaf: firstLeaves[index], zoom: UInt8(place.zoom))
    }

    public var packed: [UInt8] {
        var message = MessageWriter()
        message.field(BlockField.format, ClusterBlock.format)
        message.list(BlockField.ids, ids.differences.map(UInt64.init))
        message.list(BlockField.leafSteps, signed: firstLeaves.differences)
        var tile = MessageWriter()
        tile.field(BlockField.page, bytes: message.bytes)
        return tile.bytes
    }

    /// Reads a page, and refuses what could mislead a query.
    public init(unpacking bytes: [UInt8]) throws(ClusterBlockError) {
        var message = try MessageReader.message(BlockField.page, in: bytes)
        var (steps, leafSteps): ([UInt64], [Int64]) = ([], [])
        while let (field, value) = try message.next() {
            switch (field, value) {
            case (BlockField.format, .number(let format)) where format > ClusterBlock.format:
                throw .newerFormat(format)
            case (BlockField.ids, .bytes(let list)): steps = try list.list()
            case (BlockField.leafSteps, .bytes(let list)): leafSteps = try list.signedList()
            default: break
            }
        }
        guard steps.count == leafSteps.count, (1...Self.size).contains(steps.count) else {
            throw .garbled("its lists of ids and leaves are not of one length")
        }
        guard let ids = steps.ascendingIDs else { throw .garbled("its ids do not ascend") }
        var leaf: Int64 = 0
        for (id, leafStep) in zip(ids, leafSteps) {
            let (sum, isTooFar) = leaf.addingReportingOverflow(leafStep)
            guard !isTooFar, ContractNumber.first.holds(sum) else {
                throw .garbled("an id leads to no leaf")
            }
            leaf = sum
            append(id, firstLeaf: leaf)
        }
    }
}

extension [UInt64] {
    /// The ids that are so far apart; nil if one does not come behind the last, or is none.
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
