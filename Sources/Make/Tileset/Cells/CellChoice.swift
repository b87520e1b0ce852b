import ArchiveContract
import Clustering
import Geometry
import Points

/// How a job cuts the world: decided once, for all who work on it, and any choice is right. It follows
/// from the points, the options and the nodes that the memory holds.
struct CellChoice {
    let division: CellDivision
    let cutZoom: Int
    /// About how many nodes are left for the top: seldom more.
    var nodes: Int
    /// What is above the cells.
    var levels: [JobPlan.Level] = []

    /// About how many nodes a tile holds at most where points are dense, at the usual radius.
    private static let nodesInTile = 110.0
    /// Cells are so many zooms above the cut, so that margins are a small part of them: a seventh of
    /// their points where these lie evenly. Where cells would be too heavy they are fewer.
    private static let depth = 6
    private static let leastDepth = 3
    /// The same where the zoom of the cells is given.
    private static let givenDepth = 4
    /// More nodes at the cut would take the top longer than they spare the cells.
    private static let mostNodes = 8_000_000

    /// - Parameters:
    ///   - layers: what each layer is clustered by.
    ///   - hierarchies: how many there are in all layers.
    ///   - nodeLimit: how many nodes at the cut fit into the memory.
    ///   - cells: may give the zoom of the cells, and how far below it the cut is.
    ///   - hasLevels: whether squares above the cells will take what these hand up, and leave little for the top.
    ///   - leavesOut: whether tiles cover others that are left out, all of which must lie in one cell.
    init(
        _ counts: PointCounts, _ layers: [ClusterOptions], hierarchies: Int, nodeLimit: Int,
        cells: CellOptions, hasLevels: Bool = false, leavesOut: Bool = false
    ) {
        let last = layers.map(\.maxZoom).min() ?? 0
        let least = layers.map(\.minZoom).max() ?? 0
        let nodesAt = { Self.nodes(counts, layers, hierarchies, at: $0) }
        if let cellZoom = cells.zoom {
            cutZoom = min(max(cellZoom + (cells.cutDepth ?? Self.givenDepth), least), last)
            nodes = Int(nodesAt(cutZoom))
            let covered = leavesOut ? Int(ClusterDescription.coveredZooms) : 0
            let deepest = UInt8(max(0, min(cellZoom, cutZoom - covered)))
            division = Self.division(counts, deepest: deepest) { _ in 0 }
            return
        }
        // What is left at the cut is clustered in one memory. The deeper the cut, the narrower the
        // margins: with a third of all points both phases together take the least time.
        let limit = hasLevels ? Int.max : min(Self.mostNodes, nodeLimit)
        let most = Double(max(min(counts.total / 3, limit), 65_536))
        var zoom = least
        while zoom < last, nodesAt(zoom + 1) <= most { zoom += 1 }
        cutZoom = zoom
        nodes = Int(nodesAt(zoom))
        // Where points of a job that stays change, the cells around them are made anew: of small ones that is less.
        let parts = cells.folder != nil && cells.remote == nil ? 128 : 32
        let (light, heavy) = (max(counts.total / parts, 65_536), max(counts.total / 8, 65_536))
        division = Self.division(
            counts, deepest: UInt8(max(0, min(zoom - Self.leastDepth, Int(PointCounts.zoom))))
        ) { Int($0) < zoom - Self.depth ? light : heavy }
    }

    /// The cells of a plan before, as long as there are about as many points, and no cell has many more: what has not changed
    /// is then of the same cells.
    init?(
        keeping former: JobPlan, _ counts: PointCounts, _ layers: [ClusterOptions],
        hierarchies: Int, nodeLimit: Int
    ) {
        let pointCount = counts.sums()
        let own = former.cells.map(pointCount)
        let most = max(2 * (former.counts.max() ?? 0), 65_536)
        let highest = former.levels.last?.cutZoom ?? former.cutZoom
        let nodes = Int(Self.nodes(counts, layers, hierarchies, at: highest))
        let zooms = (layers.map(\.minZoom).max() ?? 0)...(layers.map(\.maxZoom).min() ?? 0)
        guard zooms.contains(former.cutZoom), nodes <= max(nodeLimit, 65_536),
            own.allSatisfy({ $0 <= most }), counts.total <= 2 * former.leafCount
        else { return nil }
        self.init(
            division: CellDivision(former.cells, counts: own), cutZoom: former.cutZoom,
            nodes: nodes)
        levels = former.levels
    }

    private init(division: CellDivision, cutZoom: Int, nodes: Int) {
        self.division = division
        self.cutZoom = cutZoom
        self.nodes = nodes
    }

    /// The same, or cut again so that no cell takes more memory; what does not help is told.
    func cut(
        to memory: Int, _ counts: PointCounts, _ layers: [ClusterOptions], hierarchies: Int
    ) throws(JobError) -> CellChoice {
        let most = CellForecast.points(within: memory)
        if division.counts.allSatisfy({ $0 <= most }) { return self }
        let last = layers.map(\.maxZoom).min() ?? 0
        var zoom = cutZoom
        while true {
            let deepest = UInt8(max(0, min(zoom - Self.leastDepth, Int(PointCounts.zoom))))
            let cells = Self.division(counts, deepest: deepest) { _ in most }
            if let fullest = cells.counts.max(), fullest > most, zoom < last,
                Int(deepest) < Int(PointCounts.zoom)
            {
                zoom += 1
                continue
            }
            let nodes = Int(Self.nodes(counts, layers, hierarchies, at: zoom))
            let choice = CellChoice(division: cells, cutZoom: zoom, nodes: nodes)
            try choice.check(memory, most)
            return choice
        }
    }

    private func check(_ memory: Int, _ most: Int) throws(JobError) {
        guard
            let fullest = division.counts.indices.max(by: {
                division.counts[$0] < division.counts[$1]
            }), division.counts[fullest] > most
        else { return }
        throw .cellTooHeavy(
            cell: division.cells[fullest].cellName, points: division.counts[fullest],
            needed: CellForecast.bytes(points: division.counts[fullest]), allowed: memory)
    }

    /// About how many nodes there are at a zoom.
    /// - Parameter taken: how many of so many points stay apart in some room: no more than the room has.
    static func nodes(
        _ counts: PointCounts, _ layers: [ClusterOptions], _ hierarchies: Int, at zoom: Int,
        _ taken: (_ points: Double, _ room: Double) -> Double = { min($0, $1) }
    ) -> Double {
        let tiles = counts.tiles(at: UInt8(min(zoom, Int(PointCounts.zoom))))
        let scale = Double(1 << (2 * max(0, zoom - Int(PointCounts.zoom))))
        let pixels = layers.map { $0.radius.pixels(atZoom: zoom) }
        // So many circles of 40 pixels would lie there as one of the smallest radius.
        let share = 40 / max(pixels.min() ?? 40, 0.5)
        // Hierarchies do not see each other, and what is too little for a cluster stays apart.
        let apart = layers.map { max($0.minPoints - 1, $0.minUniqueLocations - 1, 1) }.max() ?? 1
        let room = nodesInTile * share * share * scale * Double(apart) * Double(max(hierarchies, 1))
        return tiles.reduce(0) { $0 + taken(Double($1.count), room) }
    }

    /// Squares that are halved while they hold more than so many points.
    private static func division(
        _ counts: PointCounts, deepest: UInt8, limit: (_ zoom: UInt8) -> Int
    ) -> CellDivision {
        let pointCount = counts.sums()
        var cells: [(tile: TileID, count: Int)] = []
        var open = [TileID(z: 0, x: 0, y: 0)]
        while let tile = open.popLast() {
            let count = pointCount(tile)
            if tile.z < deepest, count > limit(tile.z) {
                open += tile.children
            } else {
                cells.append((tile, count))
            }
        }
        cells.sort { $0.tile.curveDistance < $1.tile.curveDistance }
        return CellDivision(cells.map(\.tile), counts: cells.map(\.count))
    }
}

extension CellOptions {
    /// Asks for the cells that the folder's job was asked for, if there is one.
    mutating func cutAsBefore() throws {
        guard let folder, JobFolder.holdsPlan(folder) else { return }
        let plan = try JobPlan.read(in: JobFolder(folder))
        (zoom, margin) = (plan.cellZoom, plan.margin)
    }
}

extension TileID {
    /// Where a cell begins along the Hilbert curve, whatever its zoom.
    var curveDistance: UInt64 {
        Hilbert.distance(x: x, y: y, order: z) << (2 * UInt64(TileID.deepestZoom - z))
    }
}
