extension HierarchyBuilder {
    /// Makes a cluster that never comes apart at each site that has several points.
    mutating func formCoincident() {
        guard options.keepCoincident else { return }
        for index in 0..<level.count
        where level.points[index] > 1 && !level.node[index].isCluster {
            let point = choice?.best(of: [level.node[index]], in: hierarchy, input).point
            let number = hierarchy.count
            hierarchy.append(
                index, of: level, representative: point, zoom: ClusterOptions.deepestZoom)
            level.node[index] = .cluster(number)
        }
        hierarchy.endZoom()
    }
}
