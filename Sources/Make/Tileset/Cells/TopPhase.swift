import ArchiveContract
import Clustering
import Geometry
import Points

/// The third phase: clusters what all cells handed up, numbers everything, and makes the tiles above the
/// cut.
struct TopPhase {
    let job: CellJob
    let passes: Int

    var isDone: Bool {
        [job.files.top, job.files.topTiles, job.files.ids].allSatisfy(job.files.has)
            && job.division.cells.allSatisfy { job.files.has(job.files.numbers(of: $0.cellName)) }
    }

    func run() throws {
        if isDone { return }
        try job.files.makeFolder("top")
        try job.files.makeFolder("tiles")
        var gathered = try GatheredUnits(of: job, passes)
        var layers = job.plan.layers.map { _ in CellNodes(keys: job.keys) }
        var clusters = layers
        /// For each hierarchy the first leaf of each node that was handed up, within its layer.
        var firstLeaves: [Column<UInt32>] = []
        var unitStart = 0
        let tops = try trees(over: gathered.units)
        let ids = try job.ids(ofClustersIn: tops, over: gathered.units)
        for (index, unit) in job.units.enumerated() {
            try job.checkCancelled()
            if index > 0, job.units[index - 1].layer != unit.layer { unitStart = 0 }
            let top = tops[index]
            let wanted = ClusterTraits.Wanted(by: job.recipe.layers[unit.layer])
            let drawing = TopNodes(
                gathered.units[index], top, ids: ids[index],
                boxes: wanted.boxes ? try boxes(of: top, index, gathered) : [], wanted,
                firstLeaf: UInt32(unitStart),
                isWeighted: job.layerOptions[unit.layer].weighted)
            gathered.units[index].include(job.zooms.spread.flatMap(drawing.spread))
            gathered.parentZooms.append(Column(top.placements.map(\.parentZoom)))
            clusters[unit.layer].append(drawing.clusters)
            for var nodes in [
                drawing.drawn(above: job.cutZoom, withHeat: job.recipe.tiles.heat),
                gathered.units[index].below,
            ] {
                nodes.name(by: gathered.ids, unit: index, of: job)
                layers[unit.layer].append(nodes)
            }
            layers[unit.layer].append(drawing.clusters)
            firstLeaves.append(drawing.firstLeaves)
            unitStart += drawing.leafCount
        }
        try check(firstLeaves, gathered)
        let covering = try writeTiles(of: layers, clusters)
        try writeNumbers(firstLeaves, covering, gathered)
        try writeClusters(clusters, firstLeaves, gathered)
        try gathered.ids.write(for: job)
    }

    private func trees(over handedUp: [HandedUpUnit]) throws -> [TopTree] {
        try zip(job.units, handedUp).map { unit, handedUp in
            try job.checkCancelled()
            return try TopTree(
                of: handedUp.nodes, group: PointGroups.value(of: unit.group), cutZoom: job.cutZoom,
                options: job.layerOptions[unit.layer], threads: job.options.threads)
        }
    }

    /// That every point was handed up once, by itself or in a cluster.
    private func check(_ firstLeaves: [Column<UInt32>], _ gathered: GatheredUnits) throws {
        var leaves = job.plan.layers.map { _ in 0 }
        for (index, unit) in job.units.enumerated() {
            let nodes = gathered.units[index].nodes
            leaves[unit.layer] += nodes.points.count - nodes.clusters.count
            leaves[unit.layer] += nodes.clusters.reduce(0) { $0 + Int($1.points) }
        }
        let wanted = job.plan.layers.map(\.points)
        guard leaves == wanted else {
            throw JobError.doesNotAddUp("they hold \(leaves) points of \(wanted)")
        }
    }

    /// Writes the tiles above the cut; answers with those that cover what lies below.
    private func writeTiles(
        of layers: [CellNodes], _ clusters: [CellNodes]
    ) throws -> VariableDepth.Covering {
        let ids = clusters.map { nodes in
            var sorting = IDSorting()
            sorting.add(nodes)
            return sorting.sorted
        }
        let zooms = job.zooms.zooms.filter { Int($0) < job.cutZoom }
        let drawn = job.drawn(layers)
        let depth =
            job.recipe.tiles.variableDepth ? VariableDepth(leafCount: drawn.leafCount) : nil
        try CellTiles(job).write(
            drawn, zooms, in: nil, depth, ids: ids, to: \.topTiles)
        return depth?.covering ?? VariableDepth.Covering()
    }

    /// For each cell where its leaves begin, and which other cells hold what it may draw.
    private func writeNumbers(
        _ firstLeaves: [Column<UInt32>], _ covering: VariableDepth.Covering,
        _ gathered: GatheredUnits
    ) throws {
        var starts = job.units.map { _ in 0 }
        let neighbours = job.division.neighbours(reaching: gathered.boxes)
        for (cell, square) in job.division.cells.enumerated() {
            let rows = zip(starts, gathered.counts[cell]).map { $0..<$0 + $1 }
            starts = rows.map(\.upperBound)
            try CellNumbers(
                square: square, neighbours: neighbours[cell],
                firstLeaves: zip(firstLeaves, rows).map { all, rows in Column(rows.map { all[$0] })
                },
                parentZooms: zip(gathered.parentZooms, rows).map { all, rows in
                    Column(rows.map { all[$0] })
                }, covering: covering.below(square)
            ).write(for: job)
        }
    }

    /// The boxes of the clusters of a hierarchy that formed above the cut.
    private func boxes(
        of top: TopTree, _ unit: Int, _ gathered: GatheredUnits
    ) throws -> [WorldBox] {
        let handedUp = gathered.units[unit]
        return try TopBoxes(top, handedUp.nodes, handedUp.spans).boxes { leaves, stretches in
            var columns: [Double] = []
            var first = 0
            for cell in job.division.cells.indices {
                let rows = first..<first + gathered.counts[cell][unit]
                first = rows.upperBound
                guard rows.contains(where: { leaves.contains(top.placements[$0].leaf) }) else {
                    continue
                }
                let file = try TreeFile(of: cell, passes, job)
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

    /// The clusters above the cut, what is known of each layer, and which tasks make blocks of its leaves.
    private func writeClusters(
        _ clusters: [CellNodes], _ firstLeaves: [Column<UInt32>], _ gathered: GatheredUnits
    ) throws {
        let layers = clusters.enumerated().map { layer, nodes in
            var known = TopClusters.Layer(clusterCount: nodes.nodes.firsts.count)
            var skipped = SkippedSums()
            for (index, unit) in job.units.enumerated() where unit.layer == layer {
                known.spread = .union(known.spread, gathered.units[index].spread)
                known.clusterCount += gathered.clusterCounts[index]
                known.heldCount += gathered.heldCounts[index]
                skipped.add(gathered.skipped[index].inOrder(of: job.layerOptions[layer]))
            }
            known.skipped = skipped.inOrder(of: job.layerOptions[layer]).map {
                ($0.aggregate, $0.missing + $0.unusable)
            }
            return known
        }
        let tasks = tasks(over: clusters, firstLeaves, gathered)
        try TopClusters.write(clusters, layers, tasks, of: job)
    }

    private func tasks(
        over clusters: [CellNodes], _ firstLeaves: [Column<UInt32>], _ gathered: GatheredUnits
    ) -> [LeafTask] {
        var tasks: [LeafTask] = []
        for (layer, nodes) in clusters.enumerated() {
            var handedUp: [(first: UInt32, leaves: UInt32)] = []
            for (index, unit) in job.units.enumerated() where unit.layer == layer {
                for cluster in gathered.units[index].nodes.clusters {
                    handedUp.append((firstLeaves[index][Int(cluster.row)], cluster.points))
                }
            }
            tasks += LeafTask.tasks(
                of: layer, leafCount: job.plan.layers[layer].points, nodes.nodes, handedUp,
                size: job.options.cells.leavesInTask ?? LeafTask.usualSize(in: job))
        }
        // Nodes are handed up cell by cell.
        var starts = job.units.map { _ in 0 }
        for cell in job.division.cells.indices {
            var has = tasks.map { _ in false }
            for (index, unit) in job.units.enumerated() {
                let rows = starts[index]..<starts[index] + gathered.counts[cell][index]
                starts[index] = rows.upperBound
                for row in rows {
                    let task = tasks.index(
                        ofLeaf: Int(firstLeaves[index][row]), layer: unit.layer)
                    if has.indices.contains(task) { has[task] = true }
                }
            }
            for task in tasks.indices where has[task] { tasks[task].cells.append(cell) }
        }
        return tasks
    }
}
