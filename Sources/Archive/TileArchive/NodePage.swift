import ArchiveContract

/// A part of a list of nodes.
public struct NodePage: Equatable, Sendable {
    public let nodes: [ClusterNode]
    /// The number of nodes in the whole list; nil if counting them would take too long.
    public let total: Int64?
}

/// Collects the nodes of a list that belong to a page, and counts the rest.
struct NodeCollector {
    private let offset: Int64
    private let limit: Int
    private var nodes: [ClusterNode] = []
    private var count: Int64 = 0

    init(offset: Int64, limit: Int) {
        self.offset = max(offset, 0)
        self.limit = max(limit, 0)
    }

    /// Whether the page is full.
    var isFull: Bool { nodes.count == limit }

    mutating func add(_ cluster: ClusterRecord) {
        if count >= offset, !isFull { nodes.append(.cluster(cluster)) }
        count += 1
    }

    /// Adds single leaves, of which there may be any number.
    mutating func add(_ leaves: Range<Int64>) {
        let passed = min(max(offset - count, 0), leaves.upperBound - leaves.lowerBound)
        for leaf in leaves.dropFirst(Int(passed)).prefix(limit - nodes.count) {
            nodes.append(.leaf(leaf))
        }
        count += leaves.upperBound - leaves.lowerBound
    }

    func finish(isWhole: Bool) -> NodePage {
        NodePage(nodes: nodes, total: isWhole ? count : nil)
    }
}
