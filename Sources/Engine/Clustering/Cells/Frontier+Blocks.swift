import Points

extension BlockSink {
    /// Writes nodes; their attributes refer to the attribute keys of this process.
    public mutating func write(_ nodes: Frontier) {
        write(nodes.points)
        let clusters = nodes.clusters
        write(Column(clusters.map(\.row)))
        for number in [\FrontierCluster.x, \.y, \.weight] {
            write(Column(clusters.map { $0[keyPath: number] }))
        }
        write(Column(clusters.map(\.zoom)))
        for count in [\FrontierCluster.points, \.sites, \.clusters] {
            write(counts: Column(clusters.map { $0[keyPath: count] }))
        }
        for cluster in clusters { writeStates(of: cluster) }
        nodes.visits.write(to: &self)
    }

    /// Writes the states of a cluster, one for each aggregate; equal states give equal bytes.
    public mutating func writeStates(of cluster: FrontierCluster) {
        write(cluster.states) { sink, state in
            sink.write(byte: state == nil ? 0 : 1)
            state?.write(to: &sink)
        }
    }
}

extension BlockSource {
    public mutating func frontier(_ keys: StoredKeys) throws(Damaged) -> Frontier {
        var nodes = Frontier(keys: keys.keys)
        nodes.points = try points(keys)
        let rows: Column<UInt32> = try column()
        let (xs, ys, weights): (Column<Double>, Column<Double>, Column<Double>) = (
            try column(), try column(), try column()
        )
        let zooms: Column<UInt8> = try column()
        let (points, sites, below) = (try counts(), try counts(), try counts())
        let fits =
            [
                xs.count, ys.count, weights.count, zooms.count, points.count, sites.count,
                below.count,
            ]
            .allSatisfy { $0 == rows.count }
        guard fits else { throw Damaged() }
        for index in 0..<rows.count {
            guard Int(rows[index]) < nodes.points.count else { throw Damaged() }
            nodes.clusters.append(
                FrontierCluster(
                    row: rows[index], x: xs[index], y: ys[index], zoom: zooms[index],
                    points: points[index], weight: weights[index], sites: sites[index],
                    clusters: below[index],
                    states: try array { source throws(Damaged) in
                        try source.byte() == 0 ? nil : try PartialState(from: &source)
                    }))
        }
        nodes.visits = try VisitKeys(from: &self)
        guard [0, nodes.points.count].contains(nodes.visits.count) else { throw Damaged() }
        return nodes
    }
}
