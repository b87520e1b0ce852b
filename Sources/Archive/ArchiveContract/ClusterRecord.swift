import JSON

/// A row of the cluster index: a cluster, and which cluster it goes into.
public struct ClusterRecord: Hashable, Sendable {
    public var key: ClusterKey
    /// How many points it holds; their leaf numbers follow the first.
    public var leafCount: Int64
    public var position: GridPoint
    /// The cluster that it goes into; nil for a root.
    public var parent: ClusterKey?

    public init(key: ClusterKey, leafCount: Int64, position: GridPoint, parent: ClusterKey?) {
        self.key = key
        self.leafCount = leafCount
        self.position = position
        self.parent = parent
    }

    /// The numbers of its leaves.
    public var leaves: Range<Int64> { key.firstLeaf..<(key.firstLeaf + leafCount) }
    /// The first zoom at which the cluster has come apart.
    public var expansionZoom: Int { Int(key.zoom) + 1 }
}

extension ClusterDescription {
    /// What a cluster's feature carries, of which its row tells.
    public func properties(of cluster: ClusterRecord) -> JSONObject {
        let count = AbbreviatedCount(
            UInt64(cluster.leafCount), countLetters(ofLeaf: cluster.key.firstLeaf))
        let values: [(ClusterAttribute, JSONValue)] = [
            (.cluster, true), (.clusterID, .integer(ids.id(of: cluster.key))),
            (.pointCount, .integer(cluster.leafCount)),
            (.pointCountAbbreviated, .string(count.text)),
            (.expansionZoom, .integer(Int64(cluster.expansionZoom))),
        ]
        return JSONObject(values.map { .init(key: $0.0.name, value: $0.1) })
    }
}

extension ClusterRecord {
    /// The numbers of a row.
    public struct Columns: Equatable, Sendable {
        public var key: Int64
        public var leaves: Int64
        public var x: Int64
        public var y: Int64
        /// How far the parent's packed key lies below the cluster's own. Small numbers take fewer
        /// bytes in a row, and the commonest, 1 for a first child that formed one zoom deeper,
        /// takes none.
        public var up: Int64?

        public init(key: Int64, leaves: Int64, x: Int64, y: Int64, up: Int64?) {
            self.key = key
            self.leaves = leaves
            self.x = x
            self.y = y
            self.up = up
        }
    }

    public var columns: Columns {
        Columns(
            key: key.packed, leaves: leafCount, x: Int64(position.x), y: Int64(position.y),
            up: parent.map { key.packed - $0.packed })
    }

    /// The cluster in a row; nil if no cluster can look like that.
    public init?(_ columns: Columns) {
        let key = ClusterKey(packed: columns.key)
        guard ContractNumber.first.holds(key.firstLeaf),
            ContractNumber.leaves.holds(columns.leaves),
            columns.leaves > 0, ContractNumber.leaves.holds(key.firstLeaf + columns.leaves),
            let x = Int32(exactly: columns.x), let y = Int32(exactly: columns.y)
        else { return nil }
        var parent: ClusterKey?
        if let up = columns.up {
            guard up > 0, up <= key.packed else { return nil }
            let above = ClusterKey(packed: key.packed - up)
            // A parent forms at a shallower zoom; so climbing always ends.
            guard above.zoom < key.zoom else { return nil }
            parent = above
        }
        self.init(
            key: key, leafCount: columns.leaves, position: GridPoint(x: x, y: y), parent: parent)
    }
}

/// What a level or a cluster is made of.
public enum ClusterNode: Hashable, Sendable {
    case cluster(ClusterRecord)
    /// A point on its own, by its leaf number.
    case leaf(Int64)

    public var leaves: Range<Int64> {
        switch self {
        case .cluster(let record): record.leaves
        case .leaf(let number): number..<(number + 1)
        }
    }
}
