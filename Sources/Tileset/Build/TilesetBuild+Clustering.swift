import ArchiveContract
import Clustering
import Pipelines
import Points
import Recipes

extension TilesetBuild {
    /// Clusters the layers one after another; leaf numbers run on over all of them.
    ///
    /// Where a tile past the cluster zooms would be too full, the layer is clustered again down to
    /// the deepest zoom, and what is not crowded comes apart where it would have.
    func cluster(
        _ inputs: inout [LayerInput], _ plan: ZoomPlan, _ clock: inout StageClock
    ) throws -> (drawn: DrawnLayers, nodes: TileNodes) {
        var drawn = try clock.time(.cluster) {
            DrawnLayers(
                try layers(of: inputs, plan) { input, firstLeaf in
                    try tree(of: input, firstLeaf, try plan.clusterOptions(for: input.layer))
                })
        }
        try begin(.layout)
        var nodes = clock.time(.layout) {
            drawn.nodes(maxZoom: plan.maxZoom, threads: options.threads)
        }
        let crowded = crowdedLayers(drawn, nodes, inputs, plan)
        if !crowded.isEmpty {
            drawn = try clock.time(.cluster) {
                try holdingTogether(crowded, of: drawn, inputs, plan)
            }
            nodes = clock.time(.layout) {
                drawn.nodes(maxZoom: plan.maxZoom, threads: options.threads)
            }
        }
        try checkCancelled()
        // From here on only the copy in leaf order is needed.
        for index in inputs.indices { inputs[index].table = PointTable() }
        drawn = try clock.time(.layout) { try drawn.inLeafOrder(threads: options.threads) }
        return (drawn, nodes)
    }

    private func layers(
        of inputs: [LayerInput], _ plan: ZoomPlan,
        _ tree: (LayerInput, _ firstLeaf: Int) throws -> ClusterTree
    ) throws -> [DrawnLayer] {
        var layers: [DrawnLayer] = []
        var firstLeaf = 0
        for input in inputs {
            try checkCancelled()
            let tree = try tree(input, firstLeaf)
            firstLeaf += tree.leafCount
            layers.append(
                DrawnLayer(
                    name: input.layer.name, table: input.table, tree: tree,
                    attributes: Self.attributes(of: input.layer),
                    countLetters: input.layer.clusters?.countLetters ?? .small,
                    extras: plan.extras(of: input.layer)))
        }
        return layers
    }

    /// What a layer's clusters carry, in the order of the table.
    static func attributes(of layer: Recipe.Layer) -> [ClusterAttribute] {
        ClusterAttribute.allCases.filter {
            $0.presence == .always || layer.clusters?.fields.contains($0) == true
        }
    }

    private func tree(
        of input: LayerInput, _ firstLeaf: Int, _ clusterOptions: ClusterOptions
    ) throws -> ClusterTree {
        do {
            return try ClusterTree(
                of: input.table, options: clusterOptions, firstLeaf: firstLeaf,
                threads: options.threads
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

    /// The layers that have a tile past their cluster zooms with too much in it, and how many points
    /// a tile of theirs may show.
    ///
    /// The first zoom past them tells: a deeper tile is no fuller than the one around it.
    private func crowdedLayers(
        _ drawn: DrawnLayers, _ nodes: TileNodes, _ inputs: [LayerInput], _ plan: ZoomPlan
    ) -> [Int: Int] {
        var limits: [Int: Int] = [:]
        for (index, layer) in drawn.layers.enumerated() {
            let zoom = plan.clusterMaxZoom(of: inputs[index].layer) + 1
            guard inputs[index].layer.clusters != nil, zoom <= plan.maxZoom else { continue }
            let leaves = Crowding.fullestTile(
                in: nodes, numbers: layer.firstLeaf..<layer.firstLeaf + layer.tree.leafCount,
                zoom: zoom)
            limits[index] = Crowding.pointLimit(
                of: layer.table, named: layer.name,
                fullestTile: leaves.map { Int(layer.leafRows[Int($0) - layer.firstLeaf]) },
                recipe.tiles, featureBytes: ZoomPlan.featureBytes(of: [layer.table]))
        }
        return limits
    }

    private func holdingTogether(
        _ crowded: [Int: Int], of drawn: DrawnLayers, _ inputs: [LayerInput], _ plan: ZoomPlan
    ) throws -> DrawnLayers {
        var layers = drawn.layers
        for (index, limit) in crowded {
            try checkCancelled()
            let input = inputs[index]
            var clusterOptions = try plan.clusterOptions(for: input.layer)
            let past = clusterOptions.maxZoom + 1
            clusterOptions.maxZoom = Int(plan.maxZoom)
            let layer = layers[index]
            let deep = DrawnLayer(
                name: layer.name, table: layer.table,
                tree: try tree(of: input, layer.firstLeaf, clusterOptions),
                attributes: layer.attributes, countLetters: layer.countLetters,
                extras: layer.extras)
            let crowding = Crowding(
                of: deep, zooms: past...Int(plan.maxZoom), limit: limit, threads: options.threads)
            layers[index] = DrawnLayer(
                name: layer.name, table: layer.table, tree: crowding.thinned(deep.tree),
                attributes: layer.attributes, countLetters: layer.countLetters,
                extras: layer.extras)
        }
        return DrawnLayers(layers)
    }
}
