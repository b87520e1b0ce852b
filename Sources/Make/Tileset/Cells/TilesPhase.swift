import Points

/// The fourth phase: makes the tiles of a cell from the cut zoom down.
struct TilesPhase {
    let job: CellJob
    let passes: Int

    func isDone(_ cell: Int) -> Bool {
        job.files.has(job.files.tiles(of: job.division.cells[cell].cellName))
    }

    func run(_ cell: Int) throws {
        if try !isDone(cell) && !takeOver(cell) { try make(cell) }
    }

    /// Makes what is not there, nor was in the job before.
    func make(_ cell: Int) throws {
        try job.files.makeFolder("tiles")
        let square = job.division.cells[cell]
        try job.folder.fetch([
            job.files.numbers(of: square.cellName), job.files.tree(of: square.cellName, passes),
            job.files.ids,
        ])
        let numbers = try CellNumbers(of: cell, job)
        let ids = try UnusualIDs(of: job)
        let inputs = try inputs(of: cell, numbers, ids)
        let tree = try TreeFile(of: cell, passes, job)
        var (layers, sorted) = try nodes(
            of: tree, numbers, ids, try borders(numbers.neighbours))
        try job.checkCancelled()
        let drawn = job.drawn(layers)
        layers = []
        let zooms = job.zooms.zooms.filter { Int($0) >= job.cutZoom }
        try CellTiles(job).write(
            drawn, zooms, in: square, job.depth(of: drawn, in: numbers), ids: sorted,
            inputs: inputs
        ) { $0.tiles(of: square.cellName) }
    }

    /// Takes a cell's file from the job before, if it follows from the same.
    func takeOver(_ cell: Int) throws -> Bool {
        guard let former = job.former else { return false }
        try job.files.makeFolder("tiles")
        let name = job.division.cells[cell].cellName
        let inputs = try inputs(of: cell, CellNumbers(of: cell, job), UnusualIDs(of: job))
        guard let inputs, (try? PartTiles(former.files.tiles(of: name), job))?.inputs == inputs
        else { return false }
        return former.give({ $0.tiles(of: name) }, to: job.files)
    }

    /// What the tiles follow from.
    private func inputs(
        of cell: Int, _ numbers: CellNumbers, _ ids: UnusualIDs
    ) throws -> UInt64? {
        guard job.keepsFiles else { return nil }
        var sum = InputSum("tiles")
        sum.include(try CellFiles(job).effort(of: cell, passes).ground, of: numbers.square)
        for other in numbers.neighbours {
            sum.include(UInt64(other))
            sum.include(try CellFiles(job).effort(of: other, passes).border)
        }
        for other in needsZooms ? [cell] + numbers.neighbours : [] {
            var zooms = BlockSink()
            for column in try CellNumbers(of: other, job).parentZooms { zooms.write(column) }
            sum.include(zooms)
        }
        var covering = BlockSink()
        covering.write(numbers.covering)
        sum.include(covering)
        sum.include(ids.sum(around: numbers.square, within: job.reachOfNodes))
        return sum.value
    }

    /// What a neighbour has that this cell may draw.
    private struct Border {
        let trees: [CellFiles.Tree]
        /// For each hierarchy, and each node that was handed up, the zoom at which its parent formed, where it is asked for.
        let zooms: [Column<Int8>]?
    }

    /// Whether it matters where the parents of points formed that were handed up.
    private var needsZooms: Bool { job.recipe.tiles.variableDepth }

    private func borders(_ neighbours: [Int]) throws -> [Border] {
        try job.folder.fetch(
            neighbours.map { job.division.cells[$0].cellName }.flatMap {
                [job.files.border(of: $0, passes)]
                    + (needsZooms ? [job.files.numbers(of: $0)] : [])
            })
        return try neighbours.map { neighbour in
            try job.checkCancelled()
            return Border(
                trees: try CellFiles(job).border(of: neighbour, passes),
                zooms: needsZooms ? try CellNumbers(of: neighbour, job).parentZooms : nil)
        }
    }

    /// The nodes of each layer, hierarchy by hierarchy, as leaves at one place have them in the archive; and the ids of those
    /// of the cell itself.
    private func nodes(
        of tree: TreeFile, _ numbers: CellNumbers, _ ids: UnusualIDs, _ borders: [Border]
    ) throws -> (layers: [CellNodes], ids: [SortedIDs]) {
        var layers = job.plan.layers.map { _ in CellNodes(keys: job.keys) }
        var sorting = job.plan.layers.map { _ in IDSorting() }
        for (index, unit) in job.units.enumerated() {
            try job.checkCancelled()
            var own = try CellFiles(job).tree(of: index, in: tree)
            let zooms = needsZooms ? numbers.parentZooms[index] : nil
            try own.settle(zooms, ids, unit: index, of: job)
            sorting[unit.layer].add(own.nodes, tree.units[index])
            layers[unit.layer].append(own.nodes)
            for border in borders {
                var other = border.trees[index]
                try other.settle(border.zooms?[index], ids, unit: index, of: job)
                layers[unit.layer].append(other.nodes)
            }
        }
        return (layers, sorting.map(\.sorted))
    }
}

extension CellFiles.Tree {
    /// Says what the cell did not know: the ids of clusters, and where it matters, at which zooms the parents formed of leaves
    /// that were handed up by themselves.
    /// - Parameter zooms: those of all nodes that were handed up.
    fileprivate mutating func settle(
        _ zooms: Column<Int8>?, _ ids: UnusualIDs, unit: Int, of job: CellJob
    ) throws(JobError) {
        nodes.name(by: ids, unit: unit, of: job)
        guard let zooms else { return }
        var next = 0
        var known = Column<Int8>(capacity: nodes.points.count)
        for leaf in 0..<nodes.points.count {
            let own = nodes.nodes.leafParentZooms[leaf]
            guard Int(own) < job.cutZoom else {
                known.append(own)
                continue
            }
            guard next < roots.count, Int(roots[next]) < zooms.count else {
                throw .doesNotAddUp("a point was handed up that the top does not know")
            }
            known.append(zooms[Int(roots[next])])
            next += 1
        }
        nodes.nodes.leafParentZooms = known
    }
}
