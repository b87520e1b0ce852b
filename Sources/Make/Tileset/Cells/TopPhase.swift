import ArchiveContract
import Clustering
import Geometry
import Points

/// The third phase: clusters the nodes that the highest level handed up, numbers all leaves, and makes the tiles above its cut.
struct TopPhase {
    let job: CellJob

    var isDone: Bool {
        [job.files.top, job.files.topTiles, job.files.ids].allSatisfy(job.files.has)
            && job.levels.numbers.map(job.name).allSatisfy {
                job.files.has(job.files.numbers(of: $0))
            }
    }

    private var cutZoom: Int { job.levels.highest.cutZoom }

    func run() throws {
        if isDone { return }
        try job.files.makeFolder("top")
        try job.files.makeFolder("tiles")
        let squares = Array(job.levels.highest.numbers)
        var gathered = try GatheredUnits(of: job, squares, own: Set(squares))
        let tops = try trees(over: gathered.units)
        let drawn = try draw(tops, &gathered)
        try check(gathered)
        let covering = try writeTiles(of: drawn.layers, drawn.clusters)
        let efforts = try CellFiles(job).efforts(of: job.levels.numbers)
        let numbers = try FrontierNumbers(
            of: job, counts: efforts.map(\.counts),
            highest: frontierNumbers(drawn.firstLeaves, tops, gathered))
        var tasks = leafTasks(drawn.clusters, drawn.firstLeaves, gathered, numbers)
        let boxes = efforts[job.levels.cells.numbers].map(\.box)
        try numbers.write(job.division.neighbours(reaching: boxes), covering, sharing: &tasks)
        try writeClusters(drawn.clusters, gathered, tasks)
        try gathered.ids.write(for: job)
    }

    /// The nodes that the top draws, and their numbers.
    private struct Drawn {
        /// For each layer, the nodes in the tiles above the cut.
        var layers: [CellNodes]
        /// The clusters that formed in the top.
        var clusters: [CellNodes]
        /// For each hierarchy, the first leaf within the layer of each node that was handed up.
        var firstLeaves: [Column<Int>]
    }

    private func draw(_ tops: [TopTree], _ gathered: inout GatheredUnits) throws -> Drawn {
        var layers = job.plan.layers.map { _ in CellNodes(keys: job.keys) }
        var clusters = layers
        var firstLeaves: [Column<Int>] = []
        var unitStart = 0
        let ids = try job.ids(ofClustersIn: tops, over: gathered.units)
        for (index, unit) in job.units.enumerated() {
            try job.checkCancelled()
            if index > 0, job.units[index - 1].layer != unit.layer { unitStart = 0 }
            let top = tops[index]
            let layer = job.recipe.layers[unit.layer]
            let drawing = TopNodes(
                gathered.units[index], top, ids: ids[index],
                boxes: layer.carries(.bbox) ? try boxes(of: top, index, gathered) : [], for: layer,
                firstLeaf: unitStart,
                isWeighted: job.layerOptions[unit.layer].weighted)
            gathered.units[index].spread = .union(
                gathered.units[index].spread, job.zooms.spread.flatMap(drawing.spread))
            clusters[unit.layer].append(drawing.clusters)
            for var nodes in [
                drawing.drawn(above: cutZoom, withHeat: job.recipe.tiles.heat),
                gathered.units[index].below,
            ] {
                nodes.name(by: gathered.ids, unit: index, of: job)
                layers[unit.layer].append(nodes)
            }
            layers[unit.layer].append(drawing.clusters)
            firstLeaves.append(drawing.firstLeaves)
            unitStart += gathered.units[index].leafCount
        }
        return Drawn(layers: layers, clusters: clusters, firstLeaves: firstLeaves)
    }

    private func trees(over frontier: [FrontierUnit]) throws -> [TopTree] {
        try zip(job.units, frontier).map { unit, frontier in
            try job.checkCancelled()
            return try TopTree(
                of: frontier.nodes, group: PointGroups.value(of: unit.group), cutZoom: cutZoom,
                options: job.layerOptions[unit.layer], threads: job.options.threads)
        }
    }

    /// Checks that every point was handed up once, by itself or in a cluster.
    private func check(_ gathered: GatheredUnits) throws {
        var leaves = job.plan.layers.map { _ in 0 }
        for (index, unit) in job.units.enumerated() {
            leaves[unit.layer] += gathered.units[index].leafCount
        }
        let wanted = job.plan.layers.map(\.points)
        guard leaves == wanted else {
            throw JobError.doesNotAddUp("they hold \(leaves) points of \(wanted)")
        }
    }

    /// Writes the tiles above the cut; returns those that cover tiles below.
    private func writeTiles(
        of layers: [CellNodes], _ clusters: [CellNodes]
    ) throws -> VariableDepth.Covering {
        let ids = clusters.map { nodes in
            var sorting = IDSorting()
            // Their leaves are numbered within the layer, as below one node.
            sorting.add(nodes, Column([0]))
            return sorting.sorted
        }
        let zooms = job.zooms.zooms.filter { Int($0) < cutZoom }
        let drawn = job.drawn(layers)
        let depth =
            job.recipe.tiles.variableDepth ? VariableDepth(leafCount: drawn.leafCount) : nil
        try job.writeTiles(
            of: drawn, zooms, in: nil, depth, ids: ids, to: \.topTiles)
        return depth?.covering ?? VariableDepth.Covering()
    }

    /// For each square of the highest level, the first leaf of each of its nodes.
    private func frontierNumbers(
        _ firstLeaves: [Column<Int>], _ tops: [TopTree], _ gathered: GatheredUnits
    ) -> [FrontierNumbers.Nodes] {
        var starts = job.units.map { _ in 0 }
        return gathered.sources.map { source in
            var nodes = FrontierNumbers.Nodes(counts: source.rows.map(\.count))
            for unit in job.units.indices {
                for row in source.rows[unit].indices {
                    nodes.firstLeaves[unit][row] = firstLeaves[unit][starts[unit] + row]
                    nodes.parentZooms[unit][row] =
                        tops[unit].placements[starts[unit] + row].parentZoom
                }
                starts[unit] += source.rows[unit].count
            }
            return nodes
        }
    }

    /// The boxes of a hierarchy's clusters that were formed above the cut.
    private func boxes(
        of top: TopTree, _ unit: Int, _ gathered: GatheredUnits
    ) throws -> [WorldBox] {
        let frontier = gathered.units[unit]
        let wraps = job.layerOptions[job.units[unit].layer].wrap
        let boxes = TopBoxes(top, frontier.nodes, frontier.spans, wraps: wraps)
        return try boxes.boxes { leaves, stretches in
            var columns: [Double] = []
            var first = 0
            for source in gathered.sources {
                let rows = first..<first + source.rows[unit].count
                first = rows.upperBound
                guard rows.contains(where: { leaves.contains(top.placements[$0].leaf) }) else {
                    continue
                }
                let file = try TreeFile(of: source.square, job.passLimit, job)
                let nodes = try file.nodes(of: unit)
                for (root, row) in rows.enumerated()
                where leaves.contains(top.placements[row].leaf) {
                    for leaf in file.units[unit].leaves(ofRoot: root) {
                        let x = nodes.points.position(of: leaf).wrapped.x
                        if stretches.contains(where: { $0.contains(x) }) { columns.append(x) }
                    }
                }
            }
            return columns
        }
    }

    /// Writes the clusters above the cut, the facts about each layer, and the tasks that make blocks of its leaves.
    private func writeClusters(
        _ clusters: [CellNodes], _ gathered: GatheredUnits, _ tasks: [LeafTask]
    ) throws {
        let layers = clusters.enumerated().map { layer, nodes in
            var known = TopClusters.Layer(clusterCount: nodes.nodes.firsts.count)
            var skipped = SkippedSums()
            for (index, unit) in job.units.enumerated() where unit.layer == layer {
                let frontier = gathered.units[index]
                known.spread = .union(known.spread, frontier.spread)
                known.clusterCount += frontier.clusterCount
                known.heldCount += frontier.heldCount
                skipped.add(frontier.skipped)
            }
            known.skipped = skipped.inOrder(of: job.layerOptions[layer])
            return known
        }
        try TopClusters.write(clusters, layers, tasks, of: job)
    }

    /// The tasks that make blocks of leaves.
    private func leafTasks(
        _ clusters: [CellNodes], _ firstLeaves: [Column<Int>], _ gathered: GatheredUnits,
        _ numbers: FrontierNumbers
    ) -> [LeafTask] {
        var large = numbers.large
        for (layer, nodes) in clusters.enumerated() { large[layer] += nodes.nodes.large }
        // If there are levels, their files list the large clusters of cells.
        for (index, unit) in job.units.enumerated() where job.levels.above.isEmpty {
            large[unit.layer] += gathered.units[index].nodes.clusters.map {
                LargeNode(
                    first: firstLeaves[index][Int($0.row)], leaves: $0.points,
                    zoom: $0.zoom)
            }
        }
        return job.plan.layers.indices.flatMap { layer in
            LeafTask.tasks(
                of: layer, leafCount: job.plan.layers[layer].points,
                large[layer],
                size: job.options.cells.leavesInTask ?? LeafTask.usualSize(in: job))
        }
    }
}

extension LooseNodes {
    /// The clusters in the form that tasks of leaves need.
    var large: [LargeNode] {
        (0..<firsts.count).map { cluster in
            LargeNode(
                first: firsts[cluster], leaves: leaves[cluster],
                zoom: UInt8(zooms[cluster]))
        }
    }
}
