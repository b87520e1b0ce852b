import ArchiveContract
import Clustering
import Pipelines
import Points
import Recipes

extension TilesetBuild {
    /// Clusters the layers one after another; leaf numbers continue from one to the next.
    ///
    /// Where a tile past the cluster zooms would be too full, its points are clustered down to the
    /// zoom at which they fit.
    func cluster(
        _ inputs: inout [LayerInput], _ plan: ZoomPlan, _ clock: inout StageClock
    ) throws -> (drawn: DrawnLayers, nodes: TileNodes) {
        var drawn = try clock.time(.cluster) { DrawnLayers(try layers(of: inputs, plan)) }
        try begin(.layout)
        let nodes = clock.time(.layout) {
            drawn.nodes(maxZoom: plan.maxZoom, threads: options.threads)
        }
        try checkCancelled()
        // From here on only the copy in leaf order is needed.
        for index in inputs.indices { inputs[index].table = PointTable() }
        drawn = try clock.time(.layout) { try drawn.inLeafOrder(threads: options.threads) }
        return (drawn, nodes)
    }

    private func layers(of inputs: [LayerInput], _ plan: ZoomPlan) throws -> [DrawnLayer] {
        var layers: [DrawnLayer] = []
        var firstLeaf = 0
        let memory = MemoryLimit(allowed: options.memory, threads: options.threads)
        let forecast = MemoryForecast(for: inputs).bytes
        for (index, input) in inputs.enumerated() {
            try checkCancelled()
            let tree = try tree(of: input, firstLeaf, plan)
            firstLeaf += tree.leafCount
            layers.append(
                DrawnLayer(
                    input.layer, table: input.table, tree: tree,
                    ids: try tree.ids(
                        of: input.layer, at: index, in: input.table, threads: options.threads),
                    extras: plan.extras(of: input.layer),
                    bins: try bins(of: input, tree, plan) {
                        try memory.check(
                            forecast + $0.byteCount
                                + layers.reduce(0) { $0 + ($1.bins?.byteCount ?? 0) })
                    }))
        }
        return layers
    }

    /// The bins of a layer, if it has any.
    private func bins(
        of input: LayerInput, _ tree: ClusterTree, _ plan: ZoomPlan,
        look: (DrawnBins) throws -> Void
    ) throws -> DrawnBins? {
        guard let rule = plan.extras(of: input.layer).bins else { return nil }
        let name = CompanionLayer.bins.name(beside: input.layer.name)
        return try DrawnBins(
            rule, named: name, of: input.table, rows: tree.leafRows,
            options: try plan.clusterOptions(for: input.layer), threads: options.threads
        ) { bins in
            try checkCancelled()
            tell(.cluster, "zooms", bins.levels.count, of: nil, subject: name)
            try look(bins)
        }
    }

    /// Finds the attributes by whose values points of each layer are counted, now that all values are known.
    func findFacets(of inputs: inout [LayerInput]) throws {
        for index in inputs.indices {
            var tally = FacetTally(try inputs[index].layer.clusters?.parsedFacets() ?? [])
            tally.add(inputs[index].table, threads: options.threads)
            inputs[index].facets = try tally.layouts()
        }
    }

    /// The values that a layer's clusters carry, in the order of the table.
    static func attributes(of layer: Recipe.Layer) -> [ClusterAttribute] {
        ClusterAttribute.allCases.filter {
            !$0.isOnRequest || layer.carries($0)
        }
    }

    private func tree(
        of input: LayerInput, _ firstLeaf: Int, _ plan: ZoomPlan
    ) throws -> ClusterTree {
        var deepened = try plan.clusterOptions(for: input.layer)
        let entryZooms = Crowding(in: input.layer, deepened, plan)?
            .entryZooms(of: input.table, deepening: &deepened, threads: options.threads)
        let clusterOptions = deepened
        do {
            return try ClusterTree(
                of: input.table, options: clusterOptions, entering: entryZooms,
                firstLeaf: firstLeaf, threads: options.threads
            ) { zoom in
                tell(
                    .cluster, "zooms", clusterOptions.maxZoom - zoom,
                    of: clusterOptions.maxZoom - clusterOptions.minZoom + 1,
                    subject: input.layer.name)
                return !options.isCancelled()
            }
        } catch .cancelled {
            throw BuildError.cancelled
        }
    }
}
