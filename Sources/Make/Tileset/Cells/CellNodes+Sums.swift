import Points

extension CellNodes {
    /// A sum for each of some nodes, over itself and all below it.
    /// - Parameter firstLeaves: the first leaf of each node.
    func sums(ofRoots firstLeaves: Column<Int>) -> Column<UInt64> {
        let names = records.keys.names.map(ByteSum.of)
        var sums = Column<UInt64>(capacity: firstLeaves.count)
        var cluster = 0
        for root in 0..<firstLeaves.count {
            let first = firstLeaves[root]
            let end = root + 1 < firstLeaves.count ? firstLeaves[root + 1] : points.count
            var sum: UInt64 = 0
            for leaf in first..<end {
                sum = PointsSum.mixed(sum, PointsSum.sum(of: leaf, in: points, names))
                sum = PointsSum.mixed(sum, UInt64(bitPattern: Int64(nodes.leafParentZooms[leaf])))
            }
            while cluster < nodes.firsts.count, nodes.firsts[cluster] < end {
                sum = PointsSum.mixed(sum, self.sum(ofCluster: cluster, from: first, names))
                cluster += 1
            }
            sums.append(sum)
        }
        return sums
    }

    /// A sum over each cluster's data, without the number of its first leaf.
    var clusterSums: Column<UInt64> {
        let names = records.keys.names.map(ByteSum.of)
        return Column(
            (0..<nodes.firsts.count).map {
                sum(ofCluster: $0, from: nodes.firsts[$0], names)
            })
    }

    private func sum(ofCluster cluster: Int, from first: Int, _ names: [UInt64]) -> UInt64 {
        var sum = UInt64(nodes.firsts[cluster] - first)
        let zooms = Int(nodes.zooms[cluster]) << 8 | Int(nodes.parentZooms[cluster]) & 0xFF
        for number in [nodes.leaves[cluster], zooms] {
            sum = PointsSum.mixed(sum, UInt64(bitPattern: Int64(number)))
        }
        sum = PointsSum.mixed(sum, nodes.xs[cluster].bitPattern)
        sum = PointsSum.mixed(sum, nodes.ys[cluster].bitPattern)
        if !nodes.weights.isEmpty {
            sum = PointsSum.mixed(sum, nodes.weights[cluster].bitPattern)
        }
        return records.withRecord(of: cluster) { PointsSum.mixed(sum, $0.sum(names)) }
    }
}
