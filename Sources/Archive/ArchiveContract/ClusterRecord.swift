import JSON

/// A row of the cluster index: a cluster and its parent.
public struct ClusterRecord: Hashable, Sendable {
    public var key: ClusterKey
    /// The number of its points; their leaf numbers follow the first.
    public var leafCount: Int64
    public var position: GridPoint
    /// The cluster that it becomes part of at lower zooms; nil for a root.
    public var parent: ClusterKey?
    /// The distance of its name from the cell in which it stands (`ClusterNames`).
    public var shift: Int64

    public init(
        key: ClusterKey, leafCount: Int64, position: GridPoint, parent: ClusterKey?,
        shift: Int64 = 0
    ) {
        self.key = key
        self.leafCount = leafCount
        self.position = position
        self.parent = parent
        self.shift = shift
    }

    /// The numbers of its leaves.
    public var leaves: Range<Int64> { key.firstLeaf..<(key.firstLeaf + leafCount) }
    /// The first zoom at which the cluster has come apart.
    public var expansionZoom: Int { Int(key.zoom) + 1 }
}

extension ClusterDescription {
    /// The id of a cluster.
    public func id(of cluster: ClusterRecord) -> Int64 {
        if case .counted(let base) = ids { return base + cluster.key.packed }
        let layer = layers.firstIndex { $0.leaves.contains(cluster.key.firstLeaf) } ?? 0
        return id(of: cluster, ofLayer: layer).number
    }

    /// The id of a cluster that is named by its place.
    func id(of cluster: ClusterRecord, ofLayer layer: Int) -> PlaceID {
        let fineness = layers.indices.contains(layer) ? layers[layer].clustering?.fineness : nil
        return cluster.id(inLayer: layer, fineness: fineness ?? 0)
    }

    /// The properties of a cluster's feature that its row has.
    public func properties(of cluster: ClusterRecord) -> JSONObject {
        let count = AbbreviatedCount(
            UInt64(cluster.leafCount), countLetters(ofLeaf: cluster.key.firstLeaf))
        let values: [(ClusterAttribute, JSONValue)] = [
            (.cluster, true), (.clusterID, .integer(id(of: cluster))),
            (.pointCount, .integer(cluster.leafCount)),
            (.pointCountAbbreviated, .string(count.text)),
            (.expansionZoom, .integer(Int64(cluster.expansionZoom))),
        ]
        return JSONObject(values.map { .init(key: $0.0.name, value: $0.1) })
    }
}

extension ClusterRecord {
    /// The id of the cluster by its place.
    /// - Parameters:
    ///   - layer: the number of its layer.
    ///   - fineness: that of the layer's names (`NameGrid`).
    public func id(inLayer layer: Int, fineness: Int) -> PlaceID {
        let grid = NameGrid(zoom: Int(key.zoom), fineness: fineness)
        // A damaged row may name any cell.
        let cell = UInt64(bitPattern: Int64(grid.cell(of: position.worldPoint)) &+ shift)
        return PlaceID(
            layer: layer, place: grid.place(ofCell: cell) & NameGrid.placeMask,
            zoom: Int(key.zoom))
    }

    /// The cluster in a row of an index; nil if the numbers are impossible.
    /// - Parameters:
    ///   - packed: the packed key.
    ///   - leaves: the number of leaves.
    ///   - x: the position's column.
    ///   - y: the position's row.
    ///   - up: the parent's packed key, subtracted from the cluster's own; nil for a root. Small numbers take fewer
    ///     bytes in a row, and the most common, 1 for a first child that formed one zoom deeper, takes none.
    ///   - shift: the distance of the name from the place.
    public init?(
        packed: Int64, leaves: Int64, x: Int64, y: Int64, up: Int64?, shift: Int64 = 0
    ) {
        let key = ClusterKey(packed: packed)
        guard ContractNumber.first.holds(key.firstLeaf), ContractNumber.leaves.holds(leaves),
            leaves > 0, ContractNumber.leaves.holds(key.firstLeaf + leaves),
            let x = Int32(exactly: x), let y = Int32(exactly: y),
            ContractNumber.shift.holds(shift)
        else { return nil }
        var parent: ClusterKey?
        if let up {
            guard up > 0, up <= packed else { return nil }
            let above = ClusterKey(packed: packed - up)
            // A parent forms at a shallower zoom, so every walk up ends.
            guard above.zoom < key.zoom else { return nil }
            parent = above
        }
        self.init(
            key: key, leafCount: leaves, position: GridPoint(x: x, y: y), parent: parent,
            shift: shift)
    }
}

/// A node of a level, or a child of a cluster.
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

extension ArraySlice<ClusterNode> {
    /// The numbers of the points that it begins with, as far as they follow each other; none if a cluster comes first.
    public var leadingLeaves: Range<Int64> {
        guard case .leaf(let start)? = first else { return 0..<0 }
        var end = start
        while end - start < count, case .leaf(end) = self[startIndex + Int(end - start)] {
            end += 1
        }
        return start..<end
    }
}
