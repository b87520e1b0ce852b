import Clustering
import Geometry
import Points

/// The fourth phase: makes the tiles of a cell from the cut zoom down, and puts its leaves and clusters into
/// the order that they have in the archive.
struct TilesPhase {
    let job: CellJob
    let passes: Int

    func isDone(_ cell: Int) -> Bool {
        let name = job.division.cells[cell].cellName
        return [job.folder.tiles(of: name), job.folder.leaves(of: name)]
            .allSatisfy(job.folder.has)
    }

    func run(_ cell: Int) throws {
        if isDone(cell) { return }
        try job.folder.makeFolder("tiles")
        let numbers = try CellNumbers(of: cell, job)
        var layers = try layers(of: CellFiles(job).trees(of: cell, passes), numbers)
        try LeafFile(job).write(layers, of: cell)
        for neighbour in numbers.neighbours {
            try job.checkCancelled()
            let border = try self.layers(
                of: CellFiles(job).border(of: neighbour, passes),
                try CellNumbers(of: neighbour, job))
            for (layer, nodes) in border.enumerated() { layers[layer].append(nodes) }
        }
        try job.checkCancelled()
        var first = 0
        let drawn = DrawnLayers(
            zip(layers.indices, job.firstLeaves).map { layer, firstLeaf in
                defer { first += layers[layer].points.count }
                return layers[layer].drawn(
                    as: job.recipe.layers[layer], firstLeaf: firstLeaf, firstNumber: first)
            }, ids: job.ids)
        layers = []
        let square = job.division.cells[cell]
        let zooms = job.zooms.zooms.filter { Int($0) >= job.cutZoom }
        try CellTiles(job).write(
            drawn, zooms, in: square, to: job.folder.tiles(of: square.cellName))
    }

    /// The nodes of each layer, numbered as in the archive.
    private func layers(
        of trees: [CellFiles.Tree], _ numbers: CellNumbers
    ) throws -> [CellNodes] {
        var layers = job.plan.layers.map { _ in CellNodes(keys: job.keys) }
        for (index, unit) in job.units.enumerated() {
            let tree = trees[index]
            guard tree.firstLeaves.count == numbers.firstLeaves[index].count else {
                throw JobError.damaged(
                    path: job.folder.tree(of: numbers.square.cellName, passes))
            }
            layers[unit.layer].append(
                tree.nodes.renumbered(from: tree.firstLeaves, to: numbers.firstLeaves[index]))
        }
        return layers
    }
}

/// What the top says of a cell.
struct CellNumbers {
    let square: TileID
    /// The cells that hold what this one may draw.
    let neighbours: [Int]
    /// For each hierarchy, the first leaf of each node that the cell handed up, within the layer.
    let firstLeaves: [Column<UInt32>]

    init(of cell: Int, _ job: CellJob) throws {
        square = job.division.cells[cell]
        var (reader, _) = try job.read(job.folder.numbers(of: square.cellName))
        var source = try reader.block()
        let (neighbours, firsts) = try reader.decode { () throws(BlockSource.Damaged) in
            let neighbours: Column<UInt32> = try source.column()
            var firsts: [Column<UInt32>] = []
            for _ in job.units { firsts.append(try source.column()) }
            return (neighbours, firsts)
        }
        self.neighbours = (0..<neighbours.count).map { Int(neighbours[$0]) }
        firstLeaves = firsts
    }
}

extension CellNodes {
    /// The same with other numbers for leaves: those of a root's leaves follow its first.
    /// - Parameter old: ascending.
    func renumbered(from old: Column<UInt32>, to new: Column<UInt32>) -> CellNodes {
        var copy = self
        copy.leafNumbers = Self.renumbered(leafNumbers, old, new)
        copy.nodes.firsts = Self.renumbered(nodes.firsts, old, new)
        return copy
    }

    private static func renumbered(
        _ numbers: Column<UInt32>, _ old: Column<UInt32>, _ new: Column<UInt32>
    ) -> Column<UInt32> {
        var result = Column<UInt32>(capacity: numbers.count)
        var root = 0
        // Numbers ascend, but for a few.
        for index in 0..<numbers.count {
            let number = numbers[index]
            if number < old[root] { root = 0 }
            while root + 1 < old.count, old[root + 1] <= number { root += 1 }
            result.append(number - old[root] + new[root])
        }
        return result
    }
}
