import ParallelColumns

/// One cluster for each cell of a grid that is anchored to the world.
struct GridAlgorithm: ClusteringAlgorithm {
    let repeats = false
    let reranksRefused = false
    let movesNodes = false

    func bands(radius: Double) -> Bands { Bands(cellSide: radius) }

    func assignment(of level: Level, rule: MergeRule, wraps: Bool, workers: Workers) -> Assignment {
        let cells = GridCells(level: level)
        let owner = SharedColumn<UInt32>(count: level.count, in: workers.scratch)
        let ranges = workers.cut(level.count).aligned(cells.isInCellBefore)
        workers.forEach(ranges.count) { piece in
            var start = ranges[piece].lowerBound
            while start < ranges[piece].upperBound {
                let run = cells.run(startingAt: start)
                let seed = run.min { level.rank[$0] < level.rank[$1] } ?? start
                for index in run { owner[index] = UInt32(truncatingIfNeeded: seed) }
                start = run.upperBound
            }
        }
        return Assignment(owner: owner)
    }
}

/// The cells of a level that is sorted by band, then x: each is a run of consecutive nodes.
struct GridCells: Sendable {
    let level: Level

    /// Whether a node is in the cell of the node before it.
    func isInCellBefore(_ index: Int) -> Bool {
        column(of: index) == column(of: index - 1)
            && level.band(of: index) == level.band(of: index - 1)
    }

    private func column(of index: Int) -> Int { level.bands.band(level.x[index]) }

    func run(startingAt start: Int) -> Range<Int> {
        precondition(start >= 0 && start < level.count)
        let nodes = unsafe NodePositions(of: level)
        let (column, band) = (nodes.column(of: start), nodes.band(of: start))
        var end = start + 1
        while end < nodes.count, nodes.column(of: end) == column, nodes.band(of: end) == band {
            end += 1
        }
        return start..<end
    }
}
