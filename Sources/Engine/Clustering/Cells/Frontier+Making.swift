import Points

extension Frontier {
    /// The roots of a hierarchy as a frontier.
    /// - Parameters:
    ///   - known: for each root that is a cluster, the row of its first leaf, and how many clusters it holds.
    ///   - states: by aggregate, the states of the roots that are clusters.
    ///   - given: the clusters whose members are elsewhere, if there are any.
    ///   - row: the row of a point of the hierarchy.
    init(
        _ roots: [NodeReference], of hierarchy: Hierarchy, in table: PointTable,
        _ options: ClusterOptions, clusters known: [(seed: Int, count: Int)],
        states: [[PartialState?]], given: GivenClusters? = nil, row: (UInt32) -> Int
    ) {
        self.init(keys: table.attributes.keys)
        let kept = Self.keptKeys(options, table.attributes.keys)
        let sites = options.minUniqueLocations > 2 ? Self.siteCounts(of: hierarchy, given) : nil
        var batch = PointBatch()
        for root in roots {
            guard root.isCluster else {
                for index in hierarchy.sites.range(of: root.number) {
                    let row = row(hierarchy.sites.points[index])
                    Self.append(row, attributes: row, keeping: nil, of: table, to: &batch)
                }
                continue
            }
            let (number, ordinal) = (root.number, clusters.count)
            let (seed, count) = known[ordinal]
            if number < hierarchy.givenPoints.count, var cluster = given?.cluster(of: UInt32(seed))
            {
                cluster.row = UInt32(batch.count)
                clusters.append(cluster)
                Self.append(seed, attributes: seed, keeping: nil, of: table, to: &batch)
                continue
            }
            clusters.append(
                FrontierCluster(
                    row: UInt32(batch.count), x: hierarchy.x[number], y: hierarchy.y[number],
                    zoom: hierarchy.zoom[number], points: hierarchy.points[number],
                    weight: hierarchy.weight.isEmpty ? 0 : hierarchy.weight[number],
                    sites: sites?[number] ?? 1, clusters: count,
                    states: states.map { $0[ordinal] }))
            let representative =
                hierarchy.representative.isEmpty ? seed : row(hierarchy.representative[number])
            Self.append(seed, attributes: representative, keeping: kept, of: table, to: &batch)
        }
        points.append(batch)
    }

    /// The attributes that are kept of the point that represents a cluster.
    static func keptKeys(_ options: ClusterOptions, _ keys: AttributeKeys) -> Set<AttributeKey> {
        var names = options.inherit
        switch options.position {
        case .max(let name), .min(let name): names.append(name)
        case .centroid, .anchor, .nearest: break
        }
        return Set(names.compactMap { keys.key(named: $0) })
    }

    static func append(
        _ row: Int, attributes: Int, keeping kept: Set<AttributeKey>?, of table: PointTable,
        to batch: inout PointBatch
    ) {
        var cursor = table.attributes[attributes].makeCursor()
        while let attribute = cursor.next() {
            guard kept?.contains(attribute.key) ?? true else { continue }
            batch.records.append(attribute.key, packed: attribute.value)
        }
        batch.append(
            table.position(of: row), weight: table.weights?[row] ?? 1,
            id: table.ids?[row] ?? PointTable.noID)
    }

    /// How many sites each cluster holds.
    /// - Parameter given: the clusters whose members are elsewhere, if there are any.
    static func siteCounts(of hierarchy: Hierarchy, _ given: GivenClusters?) -> [Int] {
        var counts = hierarchy.givenPoints.map { given?.cluster(of: $0)?.sites ?? 1 }
        for cluster in counts.count..<hierarchy.count {
            counts.append(
                hierarchy.childRange(of: cluster).reduce(0) { sum, child in
                    let node = hierarchy.children[child]
                    return sum + (node.isCluster ? counts[node.number] : 1)
                })
        }
        return counts
    }
}
