import Points
import Geometry

/// The first zoom at which points of one place are drawn apart, and how far they are moved.
struct SpreadExtent: Equatable, Sendable {
    /// The first zoom that draws a leg to such a point; at lower zooms it may be too short.
    private(set) var firstZoom: Int
    /// The greatest distance on the ground between a point and where it is drawn.
    private(set) var metres: Double

    /// The extent that covers both.
    static func union(_ first: SpreadExtent?, _ second: SpreadExtent?) -> SpreadExtent? {
        guard let first, let second else { return first ?? second }
        return SpreadExtent(
            firstZoom: min(first.firstZoom, second.firstZoom),
            metres: max(first.metres, second.metres))
    }
}

extension SpreadExtent {
    /// Nil if no point is drawn apart.
    /// - Parameters:
    ///   - parentZoom: the zoom past which a leaf is drawn by itself.
    ///   - place: the position of a leaf.
    init?(
        of shares: CoincidentLeaves, _ rule: SpreadPoints.Rule, parentZoom: (Int) -> Int,
        place: (Int) -> WorldPoint
    ) {
        self.init(firstZoom: Int(rule.zoom), metres: 0)
        var isThere = false
        /// The offsets for the last number of points met, and how far they reach.
        var offsets: [(x: Double, y: Double)] = []
        var reach = 0.0
        // Points of one place share their parent, so the first one is enough.
        for leaf in 0..<shares.count where shares.counts[leaf] > 1 && shares.ordinals[leaf] == 0 {
            guard parentZoom(leaf) < Int(rule.zoom) else { continue }
            isThere = true
            if offsets.count != Int(shares.counts[leaf]) {
                offsets = SpreadPoints.offsets(Int(shares.counts[leaf]), apart: rule.pixels)
                reach = rule.reach(of: offsets)
            }
            let place = place(leaf)
            let zooms = parentZoom(leaf) + 1..<max(firstZoom, parentZoom(leaf) + 1)
            let grid = rule.grids.first { grid in
                zooms.contains(Int(grid.zoom))
                    && offsets.contains { !grid.joins(place, place.moved(by: $0, rule.pixel)) }
            }
            if let grid { firstZoom = Int(grid.zoom) }
            metres = max(
                metres, DrawnPrecision.metres(ofPart: reach, at: place.lonLat.latitude))
        }
        if !isThere { return nil }
    }
}

extension SpreadPoints.Rule {
    /// The size of a pixel at the rule's zoom, as a part of the world's side.
    var pixel: Double { 1 / (512 * Double(UInt64(1) << UInt64(zoom))) }

    /// The greatest of some offsets, as a part of the world's side.
    fileprivate func reach(of offsets: [(x: Double, y: Double)]) -> Double {
        let squares = offsets.map { $0.x * $0.x + $0.y * $0.y }
        return (squares.max() ?? 0).squareRoot() * pixel
    }
}

extension TileGrid {
    /// Whether two positions round to the same tile unit.
    fileprivate func joins(_ a: WorldPoint, _ b: WorldPoint) -> Bool {
        unitX(Self.fixed(a.x)) == unitX(Self.fixed(b.x))
            && unitY(Self.fixed(a.y)) == unitY(Self.fixed(b.y))
    }
}

extension SpreadExtent: BlockRecord {
    static var layout: BlockLayout<Self> { .init(Self.init, \.firstZoom, \.metres) }
}
