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
        return [job.files.tiles(of: name), job.files.leaves(of: name)]
            .allSatisfy(job.files.has)
    }

    func run(_ cell: Int) throws {
        if isDone(cell) { return }
        try job.files.makeFolder("tiles")
        let name = job.division.cells[cell].cellName
        try job.folder.fetch([
            job.files.numbers(of: name), job.files.tree(of: name, passes), job.files.ids,
        ])
        let ids = try UnusualIDs(of: job)
        let numbers = try CellNumbers(of: cell, job)
        try job.folder.fetch(
            numbers.neighbours.map { job.division.cells[$0].cellName }.flatMap {
                [job.files.numbers(of: $0), job.files.border(of: $0, passes)]
            })
        var layers = try layers(of: CellFiles(job).trees(of: cell, passes), numbers, ids)
        try LeafFile(job).write(layers, of: cell)
        for neighbour in numbers.neighbours {
            try job.checkCancelled()
            let border = try self.layers(
                of: CellFiles(job).border(of: neighbour, passes),
                try CellNumbers(of: neighbour, job), ids)
            for (layer, nodes) in border.enumerated() { layers[layer].append(nodes) }
        }
        try job.checkCancelled()
        let drawn = job.drawn(layers)
        layers = []
        let square = job.division.cells[cell]
        let zooms = job.zooms.zooms.filter { Int($0) >= job.cutZoom }
        try CellTiles(job).write(
            drawn, zooms, in: square, job.depth(of: drawn, in: numbers),
            to: job.files.tiles(of: square.cellName))
    }

    /// The nodes of each layer, numbered as in the archive.
    private func layers(
        of trees: [CellFiles.Tree], _ numbers: CellNumbers, _ ids: UnusualIDs
    ) throws -> [CellNodes] {
        var layers = job.plan.layers.map { _ in CellNodes(keys: job.keys) }
        for (index, unit) in job.units.enumerated() {
            let tree = trees[index]
            guard tree.firstLeaves.count == numbers.firstLeaves[index].count else {
                throw JobError.damaged(
                    path: job.files.tree(of: numbers.square.cellName, passes))
            }
            var nodes = tree.nodes.renumbered(
                from: tree.firstLeaves, to: numbers.firstLeaves[index])
            if job.recipe.tiles.variableDepth {
                nodes.nodes.leafParentZooms = tree.nodes.parentZooms(
                    ofRoots: numbers.parentZooms[index], at: tree.firstLeaves,
                    above: Int8(job.cutZoom))
            }
            nodes.name(by: ids, unit: index, of: job)
            layers[unit.layer].append(nodes)
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
    /// The zoom at which the parent of each formed.
    let parentZooms: [Column<Int8>]
    /// What covers tiles of the cell, where some are left out.
    let covering: VariableDepth.Covering

    init(of cell: Int, _ job: CellJob) throws {
        square = job.division.cells[cell]
        var (reader, _) = try job.read(job.files.numbers(of: square.cellName))
        var source = try reader.block()
        var firsts: [Column<UInt32>] = []
        var zooms: [Column<Int8>] = []
        let (neighbours, covering) = try reader.decode {
            () throws(BlockSource.Damaged) in
            let neighbours: Column<UInt32> = try source.column()
            let covering = try source.covering()
            for _ in job.units {
                let column: Column<UInt32> = try source.column()
                firsts.append(column)
                zooms.append(try source.column())
            }
            return (neighbours, covering)
        }
        guard zip(firsts, zooms).allSatisfy({ $0.count == $1.count }) else {
            throw JobError.damaged(path: reader.path)
        }
        self.covering = covering
        parentZooms = zooms
        self.neighbours = (0..<neighbours.count).map { Int(neighbours[$0]) }
        firstLeaves = firsts
    }
}

extension CellNodes {
    /// The same with other numbers for leaves: those of a root's leaves follow its first.
    /// - Parameter old: ascending.
    func renumbered(from old: Column<UInt32>, to new: Column<UInt32>) -> CellNodes {
        var copy = self
        copy.leafNumbers = Column(capacity: leafNumbers.count)
        Self.forEachRoot(of: leafNumbers, old) { leaf, root in
            copy.leafNumbers.append(leafNumbers[leaf] - old[root] + new[root])
        }
        copy.nodes.firsts = Column(capacity: nodes.firsts.count)
        Self.forEachRoot(of: nodes.firsts, old) { cluster, root in
            copy.nodes.firsts.append(nodes.firsts[cluster] - old[root] + new[root])
        }
        return copy
    }

    /// The zooms at which the parents of leaves formed, those of points that were handed up too.
    /// - Parameters:
    ///   - zooms: those of the roots.
    ///   - firsts: the first leaf of each root.
    ///   - cutZoom: the parents of no other leaves formed above it.
    func parentZooms(
        ofRoots zooms: Column<Int8>, at firsts: Column<UInt32>, above cutZoom: Int8
    ) -> Column<Int8> {
        var known = Column<Int8>(capacity: leafNumbers.count)
        Self.forEachRoot(of: leafNumbers, firsts) { leaf, root in
            let own = nodes.leafParentZooms[leaf]
            known.append(own < cutZoom ? zooms[root] : own)
        }
        return known
    }

    /// Calls `body` with each number's index and the root that it lies in.
    private static func forEachRoot(
        of numbers: Column<UInt32>, _ firsts: Column<UInt32>, _ body: (_ index: Int, Int) -> Void
    ) {
        var root = 0
        // Numbers ascend, but for a few.
        for index in 0..<numbers.count {
            let number = numbers[index]
            if number < firsts[root] { root = 0 }
            while root + 1 < firsts.count, firsts[root + 1] <= number { root += 1 }
            body(index, root)
        }
    }
}
