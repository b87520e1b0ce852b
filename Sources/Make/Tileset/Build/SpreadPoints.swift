import ArchiveContract
import Basics
import CLibrary
import Clustering
import Geometry
import Points

/// Points of one place, each drawn a little away from it: on a ring, or on a spiral where
/// they are many.
///
/// Points of one place have consecutive leaf numbers, so where each is drawn depends on the tree
/// alone.
struct SpreadPoints: Sendable {
    /// How far apart neighbours are drawn, and the zoom at which this is measured.
    struct Rule: Sendable {
        var pixels: Double
        var zoom: UInt8
        /// The margin of tiles in pixels.
        var buffer: Double
        /// The grids of all zooms, shallowest first.
        var grids: [TileGrid]
    }

    /// The leaves that are moved, ascending, and where each is drawn.
    let leaves: [Int]
    private let positions: [WorldPoint]
    /// The first zoom at which a point is moved, and how far; nil if none is.
    let extent: SpreadExtent?
    /// Places along all legs, with the leaf of each, so near each other that every tile that a leg
    /// touches has one in it or in its margin.
    let steps: [(leaf: Int, position: WorldPoint)]

    /// - Parameter shares: which leaves share their places, where the tree is not whole.
    init(
        _ rule: Rule, of tree: ClusterTree, in table: PointTable, _ shares: CoincidentLeaves? = nil
    ) {
        let shares = shares ?? CoincidentLeaves(of: tree, in: table)
        let pixel = rule.pixel
        var leaves: [Int] = []
        var positions: [WorldPoint] = []
        var steps: [(leaf: Int, position: WorldPoint)] = []
        /// The offsets for the last number of points met.
        var offsets: [(x: Double, y: Double)] = []
        // Points that no zoom takes apart are drawn as their cluster.
        for leaf in 0..<shares.count
        where shares.counts[leaf] > 1 && tree.leafParentZooms[leaf] < rule.zoom {
            let place = table.position(of: Int(tree.leafRows[leaf]))
            let count = Int(shares.counts[leaf])
            if offsets.count != count { offsets = Self.offsets(count, apart: rule.pixels) }
            let offset = offsets[Int(shares.ordinals[leaf])]
            let drawn = place.moved(by: offset, pixel)
            leaves.append(leaf)
            positions.append(drawn)
            let length = (offset.x * offset.x + offset.y * offset.y).squareRoot()
            let stepCount = Int((length / max(rule.buffer, 4)).rounded(.up))
            for step in 0...stepCount {
                let part = Double(step) / Double(max(stepCount, 1))
                let way = (x: offset.x * part, y: offset.y * part)
                steps.append((leaf, place.moved(by: way, pixel)))
            }
        }
        (self.leaves, self.positions, self.steps) = (leaves, positions, steps)
        extent = SpreadExtent(
            of: shares, rule, parentZoom: { Int(tree.leafParentZooms[$0]) },
            place: { table.position(of: Int(tree.leafRows[$0])) })
    }

    /// Where a leaf is drawn; nil if that is at its own position.
    func position(ofLeaf leaf: Int) -> WorldPoint? {
        let index = (0..<leaves.count).partitionPoint { leaves[$0] >= leaf }
        guard index < leaves.count, leaves[index] == leaf else { return nil }
        return positions[index]
    }

    /// The offsets of a number of points from their place, in pixels; the first is to the north.
    static func offsets(_ count: Int, apart: Double) -> [(x: Double, y: Double)] {
        // Twelve points, a hundred pixels apart, fit on a ring within reach.
        if count <= 12 {
            let radius = max(Double(count) * apart / (2 * .pi), apart)
            return (0..<count).map { number in
                let angle = (Double(number) / Double(count) - 0.25) * 2 * .pi
                return (radius * cos(angle), radius * sin(angle))
            }
        }
        // A spiral of Archimedes whose turns are as far apart as its points; both distances shrink
        // where it would reach too far.
        let room = .pi * (PointSpread.reach - apart) * (PointSpread.reach - apart)
        let apart = min(apart, (room / Double(count)).squareRoot())
        var angle = 2 * Double.pi
        return (0..<count).map { _ in
            let radius = min(apart * angle / (2 * .pi), PointSpread.reach)
            defer { angle += apart / radius }
            return (radius * cos(angle), radius * sin(angle))
        }
    }
}

extension WorldPoint {
    /// The position moved by an offset in pixels.
    func moved(by offset: (x: Double, y: Double), _ pixel: Double) -> WorldPoint {
        let east = x + offset.x * pixel
        return WorldPoint(
            x: east - east.rounded(.down), y: min(max(y + offset.y * pixel, 0), 1))
    }
}
