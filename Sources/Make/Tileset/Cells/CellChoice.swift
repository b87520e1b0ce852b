import ArchiveContract
import Clustering
import Geometry
import Points

/// How a job cuts the world. It is decided once for all processes, and any choice gives the same
/// archive. It depends on the points, the options and the number of nodes that fit into the memory.
struct CellChoice {
    let division: CellDivision
    let cutZoom: Int
    /// About how many nodes are left for the top; there are seldom more.
    var nodes: Int
    /// The levels above the cells.
    var levels: [JobPlan.Level] = []

    /// About how many nodes a tile holds at most at the usual radius, where points are dense.
    private static let nodesInTile = 110.0
    /// The number of zooms between cells and the cut. With six, margins are a small part of cells: a seventh of
    /// their points, if these are spread evenly. There are fewer where cells would hold too many points.
    private static let depth = 6
    private static let leastDepth = 3
    /// The number of zooms between cells and the cut if the zoom of the cells is given.
    private static let givenDepth = 4
    /// With more nodes at the cut, the top would take more time than the cells save.
    private static let mostNodes = 8_000_000
    /// More cells than this must hold some points each. Each takes files of its own and hundredths of a second, however
    /// few points it has.
    private static let mostSmallCells = 4_096
    private static let fewestPoints = 64
    /// So many fit into any memory that a build in cells may have.
    static let leastNodes = 65_536
}

extension CellChoice {
    /// - Parameters:
    ///   - layers: the clustering options of each layer.
    ///   - hierarchies: the number of hierarchies in all layers.
    ///   - nodeLimit: the number of nodes at the cut that fit into the memory.
    ///   - cells: may set the zoom of the cells, and how far below it the cut is.
    ///   - hasLevels: whether squares above the cells take what these hand up, and leave little for the top.
    ///   - leavesOut: whether tiles are left out; a tile that covers them and all that it covers must lie in one cell.
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
        // The nodes at the cut are clustered in one memory. The deeper the cut, the narrower the
        // margins: with a third of all points at the cut, both phases together take the least time.
        let limit = hasLevels ? Int.max : min(Self.mostNodes, nodeLimit)
        let most = Double(max(min(counts.total / 3, limit), Self.leastNodes))
        var zoom = least
        while zoom < last, nodesAt(zoom + 1) <= most { zoom += 1 }
        cutZoom = zoom
        nodes = Int(nodesAt(zoom))
        // When points of a job that stays change, the cells around them are made anew: with small cells that is less work.
        let parts = cells.stays ? 128 : 32
        let (light, heavy) = (max(counts.total / parts, 65_536), max(counts.total / 8, 65_536))
        division = Self.division(
            counts, deepest: UInt8(max(0, min(zoom - Self.leastDepth, Int(PointCounts.zoom))))
        ) { Int($0) < zoom - Self.depth ? light : heavy }
    }

    /// Keeps the cells of an earlier plan, so that unchanged points are in the same cells; nil if
    /// there are many more points now, or many more in one cell.
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
        guard zooms.contains(former.cutZoom), nodes <= max(nodeLimit, Self.leastNodes),
            own.allSatisfy({ $0 <= most }), counts.total <= 2 * former.leafCount
        else { return nil }
        self.init(
            division: CellDivision(former.cells, counts: own), cutZoom: former.cutZoom,
            nodes: nodes, levels: former.levels)
    }

    /// The same choice, or cells cut again so that each fits into the memory, or that each is as light as can be.
    /// - Parameter exactly: whether it throws if a cell does not fit.
    func cut(
        to memory: Int, _ counts: PointCounts, _ layers: [ClusterOptions], hierarchies: Int,
        exactly: Bool
    ) throws(JobError) -> CellChoice {
        do throws(JobError) {
            return try cut(to: memory, counts, layers, hierarchies: hierarchies)
        } catch {
            guard case .cellTooHeavy(_, _, let needed, _) = error, !exactly else { throw error }
            return try cut(to: needed, counts, layers, hierarchies: hierarchies)
        }
    }

    /// The same choice, or cells cut again so that each fits into the memory; throws if that is impossible.
    func cut(
        to memory: Int, _ counts: PointCounts, _ layers: [ClusterOptions], hierarchies: Int
    ) throws(JobError) -> CellChoice {
        let most = CellForecast.points(within: memory, layers)
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
            try choice.check(memory, most, layers)
            return choice
        }
    }

    /// Refuses very many cells with hardly any points, as a given zoom may make.
    func refuseSmallCells() throws(JobError) {
        let counts = division.counts.filter { $0 > 0 }
        let points = counts.reduce(0, +)
        guard counts.count > Self.mostSmallCells, points < counts.count * Self.fewestPoints else {
            return
        }
        let zoom = division.cells.map(\.z).max() ?? 0
        throw .cannotCut(
            reason: "at zoom \(zoom) there are \(counts.count) cells with points, "
                + "\(points / counts.count) in each on average, and every cell takes time and files "
                + "of its own; cells of a shallower zoom are larger")
    }

    private func check(
        _ memory: Int, _ most: Int, _ layers: [ClusterOptions]
    ) throws(JobError) {
        guard
            let fullest = division.counts.indices.max(by: {
                division.counts[$0] < division.counts[$1]
            }), division.counts[fullest] > most
        else { return }
        throw .cellTooHeavy(
            cell: division.cells[fullest].cellName, points: division.counts[fullest],
            needed: CellForecast.bytes(points: division.counts[fullest], layers), allowed: memory)
    }

    /// An estimate of the number of nodes at a zoom.
    /// - Parameter taken: how many of a number of points stay apart in a room for so many; never more than the room.
    static func nodes(
        _ counts: PointCounts, _ layers: [ClusterOptions], _ hierarchies: Int, at zoom: Int,
        _ taken: (_ points: Double, _ room: Double) -> Double = { min($0, $1) }
    ) -> Double {
        let tiles = counts.tiles(at: UInt8(min(zoom, Int(PointCounts.zoom))))
        let scale = Double(1 << (2 * max(0, zoom - Int(PointCounts.zoom))))
        let pixels = layers.map { $0.radius.pixels(atZoom: zoom) }
        // How many times as many circles of the smallest radius fit side by side as circles of 40 pixels.
        let share = 40 / max(pixels.min() ?? 40, 0.5)
        // Hierarchies overlap, and points too few for a cluster stay apart.
        let apart = layers.map { max($0.minPoints - 1, $0.minUniqueLocations - 1, 1) }.max() ?? 1
        let room = nodesInTile * share * share * scale * Double(apart) * Double(max(hierarchies, 1))
        return tiles.reduce(0) { $0 + taken(Double($1.count), room) }
    }

    /// The squares that result from halving while a square holds more points than the limit.
    private static func division(
        _ counts: PointCounts, deepest: UInt8, limit: (_ zoom: UInt8) -> Int
    ) -> CellDivision {
        let pointCount = counts.sums()
        let cells = squares { $0.z < deepest && pointCount($0) > limit($0.z) }
        return CellDivision(cells, counts: cells.map(pointCount))
    }

    /// The squares that result from halving the world wherever `isHalved` says so, along the
    /// Hilbert curve.
    static func squares(halving isHalved: (TileID) -> Bool) -> [TileID] {
        var squares: [TileID] = []
        var open = [TileID(z: 0, x: 0, y: 0)]
        while let tile = open.popLast() {
            if isHalved(tile) { open += tile.children } else { squares.append(tile) }
        }
        return squares.sorted { $0.curveDistance < $1.curveDistance }
    }
}

extension CellOptions {
    /// Sets the options that the folder's job was planned with, if there is one.
    mutating func cutAsBefore() throws {
        guard let folder, JobFolder.holdsPlan(folder) else { return }
        let plan = try JobPlan.read(in: JobFolder(folder))
        (zoom, margin) = (plan.cellZoom, plan.margin)
    }
}

extension TileID {
    /// The distance along the Hilbert curve at which a cell begins, comparable between zooms.
    var curveDistance: UInt64 {
        Hilbert.distance(x: x, y: y, order: z) << (2 * UInt64(TileID.deepestZoom - z))
    }
}
