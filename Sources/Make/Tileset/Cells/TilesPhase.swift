import Points

/// The fourth phase: makes the tiles of a square, a cell's from the cut zoom down.
struct TilesPhase {
    let job: CellJob

    func isDone(_ number: Int) -> Bool {
        job.files.has(job.files.tiles(of: job.name(of: number)))
    }

    func run(_ number: Int) throws {
        if try !isDone(number) && !takeOver(number) { try make(number) }
    }

    /// Fetches at once what the tiles of some squares are made from, if the job's files are elsewhere.
    func fetch(_ numbers: [Int]) throws {
        guard job.folder.isRemote, !numbers.isEmpty else { return }
        try job.folder.fetch(
            numbers.flatMap { number in
                let name = job.name(of: number)
                return [
                    job.files.numbers(of: name),
                    job.files.tree(of: name, job.passLimit(of: number)),
                ]
            } + [job.files.ids])
        let neighbours = try numbers.flatMap { try CellNumbers(of: $0, job).neighbours }
        try job.folder.fetch(
            Set(neighbours).sorted().map(job.name).flatMap {
                [job.files.border(of: $0, job.passLimit)]
                    + (needsZooms ? [job.files.numbers(of: $0)] : [])
            })
    }

    /// Makes the tiles of a square that are neither there nor in the job before.
    func make(_ number: Int) throws {
        try fetch([number])
        try job.files.makeFolder("tiles")
        let name = job.name(of: number)
        let level = job.levels.index(of: number)
        let numbers = try CellNumbers(of: number, job)
        let ids = try UnusualIDs(of: job)
        let inputs = try inputs(of: number, numbers, ids)
        var (layers, sorted) =
            level == 0 ? try nodes(of: number, numbers, ids) : try nodes(above: number, ids)
        try job.checkCancelled()
        let drawn = job.drawn(layers)
        layers = []
        let first = job.levels.levels[level].cutZoom
        let end = level == 0 ? Int.max : job.levels.levels[level - 1].cutZoom
        let zooms = job.zooms.zooms.filter { (first..<end).contains(Int($0)) }
        try job.writeTiles(
            of: drawn, zooms, in: numbers.square, job.depth(of: drawn, in: numbers), ids: sorted,
            inputs: inputs
        ) { $0.tiles(of: name) }
    }

    /// Where the tiles of each zoom begin in a square's file, and then what is behind all tiles: their index, and the ids.
    func cuts(of number: Int) throws -> [(rank: Int, start: Int)] {
        let part = try PartTiles(job.files.tiles(of: job.name(of: number)), job)
        let ids = part.ids.joined().map(\.bytes.lowerBound).min()
        return part.zooms.map { (Int($0.zoom) + 1, $0.stream.start) }
            + part.zooms.prefix(1).map { (Int(UInt8.max), $0.index.lowerBound) }
            + (ids.map { [(Int(UInt8.max) + 1, $0)] } ?? [])
    }

    /// Takes over a square's file from the job before, if it depends on the same; false if not.
    func takeOver(_ number: Int) throws -> Bool {
        guard let former = job.former else { return false }
        try job.files.makeFolder("tiles")
        let name = job.name(of: number)
        let inputs = try inputs(of: number, CellNumbers(of: number, job), UnusualIDs(of: job))
        let old = former.files.tiles(of: name)
        guard let inputs, (try? PartTiles(old, job))?.inputs == inputs else { return false }
        return former.give(old, as: job.files.tiles(of: name), of: job.files)
    }

    /// A sum over all that the tiles depend on; nil if it is not known.
    private func inputs(
        of number: Int, _ numbers: CellNumbers, _ ids: UnusualIDs
    ) throws -> UInt64? {
        guard job.keepsFiles else { return nil }
        var sum = InputSum("tiles")
        let effort = try CellFiles(job).effort(of: number, job.passLimit(of: number))
        sum.include(effort.ground, of: numbers.square)
        for other in numbers.neighbours {
            sum.include(UInt64(other))
            sum.include(try CellFiles(job).effort(of: other, job.passLimit).border)
        }
        for other in needsZooms ? [number] + numbers.neighbours : [] {
            var zooms = BlockSink()
            for column in try CellNumbers(of: other, job).parentZooms { zooms.write(column) }
            sum.include(zooms)
        }
        var covering = BlockSink()
        covering.write(numbers.covering)
        sum.include(covering)
        sum.include(
            ids.sum(
                around: numbers.square,
                within: job.reachOfNodes(from: job.levels.level(of: number).cutZoom)))
        return sum.value
    }

    /// Whether the zooms are needed at which parents of points that were handed up were formed.
    private var needsZooms: Bool { job.recipe.tiles.variableDepth }

    /// For each neighbour, the nodes that this cell may draw, hierarchy by hierarchy, and where it
    /// is needed the zoom at which the parent of each node handed up was formed.
    private func borders(
        _ neighbours: [Int]
    ) throws -> [(trees: [CellFiles.Tree], zooms: [Column<Int8>]?)] {
        try neighbours.map { neighbour in
            try job.checkCancelled()
            return (
                try CellFiles(job).border(of: neighbour, job.passLimit),
                needsZooms ? try CellNumbers(of: neighbour, job).parentZooms : nil
            )
        }
    }

    /// The nodes of each layer, hierarchy by hierarchy, with leaves at one place in the order of
    /// the archive; and the ids of the cell's own nodes.
    private func nodes(
        of cell: Int, _ numbers: CellNumbers, _ ids: UnusualIDs
    ) throws -> (layers: [CellNodes], ids: [SortedIDs]) {
        let tree = try TreeFile(of: cell, job.passLimit, job)
        let borders = try borders(numbers.neighbours)
        var layers = job.plan.layers.map { _ in CellNodes(keys: job.keys) }
        var sorting = job.plan.layers.map { _ in IDSorting() }
        for (index, unit) in job.units.enumerated() {
            try job.checkCancelled()
            var own = try CellFiles(job).tree(of: index, in: tree)
            let zooms = needsZooms ? numbers.parentZooms[index] : nil
            try own.settle(zooms, ids, unit: index, of: job)
            sorting[unit.layer].add(own.nodes, tree.units[index].firstLeaves)
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
    /// Sets what the cell did not know: the ids of clusters and, where needed, the zooms at which
    /// the parents of leaves that were handed up by themselves were formed.
    /// - Parameter zooms: the zooms for all nodes that were handed up.
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
                throw .doesNotAddUp("a point that a cell passed up is missing at the top")
            }
            known.append(zooms[Int(roots[next])])
            next += 1
        }
        nodes.nodes.leafParentZooms = known
    }
}
