import Points

extension ClusterTree {
    /// The same points under fewer clusters: each comes apart at the zoom that it is given, or is
    /// left out and its children go to the cluster around it.
    ///
    /// This is how clusters of crowded tiles hold together at zooms at which others have come
    /// apart. Leaf numbers stay as they are. A cluster that would come apart no deeper than the
    /// cluster around it is never drawn, so it is left out too.
    /// - Parameter zoom: the deepest zoom at which a cluster is drawn, at most the one that it
    ///   has; nil leaves it out.
    /// - Complexity: O(n).
    public func holding(through zoom: (Int) -> Int8?) -> ClusterTree {
        let selection = HeldClusters(columns, minZoom: minZoom, through: zoom)
        return ClusterTree(
            firstLeaf: firstLeaf, minZoom: minZoom, columns: selection.columns(of: columns),
            groups: groups.map { group in
                let kept = selection.keptCounts
                return Group(
                    value: group.value, leaves: group.leaves,
                    clusters: kept[group.clusters.lowerBound]..<kept[group.clusters.upperBound])
            },
            attributes: selection.attributes(of: attributes), skippedValues: skippedValues)
    }
}

/// Which clusters of a tree are kept, and through which zoom.
private struct HeldClusters {
    /// The deepest zoom of each cluster; for one that is left out, that of the cluster around it.
    private var zooms: [Int8] = []
    /// The kept cluster that stands for each: itself or the one around it, by its new number.
    private var standIns: [UInt32] = []
    /// How many clusters are kept before each, and in all.
    private(set) var keptCounts: [Int] = [0]

    /// Clusters are in the order of their ids, so a parent comes before its children.
    init(_ columns: TreeColumns, minZoom: Int, through zoom: (Int) -> Int8?) {
        for cluster in 0..<columns.firsts.count {
            let parent = columns.parents[cluster]
            let isRoot = parent == ClusterTree.noParent
            let outerZoom = isRoot ? Int8(minZoom - 1) : zooms[Int(parent)]
            let kept = keptCounts[cluster]
            if let own = zoom(cluster), own > outerZoom {
                zooms.append(own)
                standIns.append(UInt32(kept))
                keptCounts.append(kept + 1)
            } else {
                zooms.append(outerZoom)
                standIns.append(isRoot ? ClusterTree.noParent : standIns[Int(parent)])
                keptCounts.append(kept)
            }
        }
    }

    private func isKept(_ cluster: Int) -> Bool { keptCounts[cluster] < keptCounts[cluster + 1] }

    private func standIn(of parent: UInt32) -> UInt32 {
        parent == ClusterTree.noParent ? parent : standIns[Int(parent)]
    }

    private func zoom(of parent: UInt32, otherwise: Int8) -> Int8 {
        parent == ClusterTree.noParent ? otherwise : zooms[Int(parent)]
    }

    func columns(of old: TreeColumns) -> TreeColumns {
        var new = TreeColumns()
        new.leafRows = old.leafRows
        for leaf in 0..<old.leafRows.count {
            let parent = old.leafParents[leaf]
            new.leafParents.append(standIn(of: parent))
            new.leafParentZooms.append(zoom(of: parent, otherwise: old.leafParentZooms[leaf]))
        }
        for cluster in 0..<old.firsts.count where isKept(cluster) {
            let parent = old.parents[cluster]
            new.firsts.append(old.firsts[cluster])
            new.leaves.append(old.leaves[cluster])
            new.zooms.append(zooms[cluster])
            new.parentZooms.append(zoom(of: parent, otherwise: old.parentZooms[cluster]))
            new.parents.append(standIn(of: parent))
            new.xs.append(old.xs[cluster])
            new.ys.append(old.ys[cluster])
            if !old.weights.isEmpty { new.weights.append(old.weights[cluster]) }
            if !old.representatives.isEmpty {
                new.representatives.append(old.representatives[cluster])
            }
        }
        return new
    }

    func attributes(of old: AttributeTable) -> AttributeTable {
        var new = AttributeTable(keys: old.keys)
        var records: [UInt8] = []
        var ends: [UInt32] = []
        for cluster in 0..<old.count where isKept(cluster) {
            unsafe old[cluster].bytes.withUnsafeBufferPointer {
                unsafe records.append(contentsOf: $0)
            }
            ends.append(UInt32(records.count))
            // A piece holds at most 4 GiB; this one is far from it.
            if records.count > 1 << 24 {
                new.append(records, ends: ends.span)
                records = []
                ends = []
            }
        }
        new.append(records, ends: ends.span)
        return new
    }
}
