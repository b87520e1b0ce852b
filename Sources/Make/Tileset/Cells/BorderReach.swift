import ArchiveContract
import Clustering
import Geometry
import Points
import Recipes

/// Finds the nodes of a cell that other cells may draw: those that stand outside its square, or so near its
/// edge that they are copied into the margin of a tile beyond, are drawn there, or have a leg that goes there.
struct BorderReach {
    private let square: TileID
    private let tiles: TileOptions
    private let cutZoom: Int
    /// The greatest distance from its place at which a point may be drawn.
    private let spread: Double
    /// The box around all of them, as seen from the cell: it may begin west of 0 and end east of 1.
    private(set) var box = WorldBox.empty

    init(of square: TileID, cutZoom: Int, maxZoom: UInt8, _ tiles: TileOptions) {
        self.square = square
        spread = PointSpread.reach / (512 * Double(UInt64(1) << UInt64(maxZoom)))
        self.cutZoom = cutZoom
        self.tiles = tiles
    }

    /// How far from a tile a node is still copied into it, if it is drawn from the given zoom on.
    static func reach(_ tiles: TileOptions, from zoom: Int) -> Double {
        let units = Double(UInt64(1) << UInt64(tiles.extentBits))
        return (tiles.buffer / 512 + 4 / units) / Double(UInt64(1) << UInt64(zoom))
    }

    /// The leaves and clusters of a cell that other cells may draw.
    mutating func nodes(of all: CellNodes) -> (leaves: [UInt32], clusters: [UInt32]) {
        let nodes = all.nodes
        var (leaves, clusters): ([UInt32], [UInt32]) = ([], [])
        for leaf in 0..<all.points.count {
            let position = all.points.position(of: leaf)
            let isApart = !all.shares.isEmpty && all.shares.counts[leaf] > 1
            let reach = reach(from: Int(nodes.leafParentZooms[leaf]) + 1) + (isApart ? spread : 0)
            if isOutside(position, reach) {
                leaves.append(UInt32(leaf))
            }
        }
        for cluster in 0..<nodes.firsts.count {
            let position = WorldPoint(x: nodes.xs[cluster], y: nodes.ys[cluster])
            if isOutside(position, reach(from: Int(nodes.parentZooms[cluster]) + 1)) {
                clusters.append(UInt32(cluster))
            }
        }
        return (leaves, clusters)
    }

    private func reach(from zoom: Int) -> Double {
        // Heat layers show nodes that are drawn some zooms deeper.
        let first = tiles.heat ? zoom - CompanionLayer.heatZooms : zoom
        return Self.reach(tiles, from: max(first, cutZoom))
    }

    private mutating func isOutside(_ position: WorldPoint, _ reach: Double) -> Bool {
        let (dx, dy) = (position.x - square.origin.x, position.y - square.origin.y)
        guard min(dx, dy) < reach || max(dx, dy) > square.width - reach else { return false }
        // The shorter way around the world.
        let middle = dx - square.width / 2
        let x = square.origin.x + dx - middle.rounded()
        box.include(WorldPoint(x: x - reach, y: position.y - reach))
        box.include(WorldPoint(x: x + reach, y: position.y + reach))
        return true
    }
}
