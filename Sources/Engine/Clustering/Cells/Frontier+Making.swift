import Points

extension Frontier {
    /// The roots of a cell's hierarchy as a frontier.
    /// - Parameters:
    ///   - states: by aggregate, the states of the roots that are clusters.
    ///   - visits: the history that the order of visits follows from, if it is not the points.
    init(
        _ nodes: [NodeReference], of hierarchy: Hierarchy, _ input: ClusterInput,
        _ columns: TreeColumns, _ roots: [CellPiece.Root], states: [[PartialState?]],
        visits history: VisitHistory?
    ) {
        self.init(keys: input.table.attributes.keys)
        if let history { visits = history.keys(of: nodes, in: hierarchy, input) }
        let kept = Self.keptKeys(input.options, input.table.attributes.keys)
        let sites = input.options.minUniqueLocations > 2 ? Self.siteCounts(of: hierarchy) : nil
        var batch = PointBatch()
        var root = 0
        for node in nodes {
            guard node.isCluster else {
                for _ in hierarchy.sites.range(of: node.number) {
                    let row = Int(columns.leafRows[roots[root].leaves.lowerBound])
                    Self.append(row, attributes: row, keeping: nil, of: input.table, to: &batch)
                    root += 1
                }
                continue
            }
            let number = node.number
            let (leaves, below) = (roots[root].leaves, roots[root].clusters)
            let seed = Int(columns.leafRows[leaves.lowerBound])
            let representative =
                hierarchy.representative.isEmpty
                ? seed : input.row(hierarchy.representative[number])
            Self.append(
                seed, attributes: representative, keeping: kept, of: input.table, to: &batch)
            let ordinal = clusters.count
            clusters.append(
                FrontierCluster(
                    row: UInt32(root), x: hierarchy.x[number], y: hierarchy.y[number],
                    zoom: hierarchy.zoom[number], points: hierarchy.points[number],
                    weight: hierarchy.weight.isEmpty ? 0 : hierarchy.weight[number],
                    sites: sites?[number] ?? 1, clusters: below.count,
                    states: states.map { $0[ordinal] }))
            root += 1
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
    static func siteCounts(of hierarchy: Hierarchy, _ given: GivenClusters? = nil) -> [Int] {
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
