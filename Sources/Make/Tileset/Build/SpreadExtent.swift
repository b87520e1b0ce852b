import Points
import Geometry

/// From which zoom on points of one place are drawn apart, and how far that takes them.
struct SpreadExtent: Equatable, Sendable {
    /// The first zoom that draws a leg to one of them; it may be too short further up.
    private(set) var firstZoom: Int
    /// How far on the ground the farthest is drawn from its place.
    private(set) var metres: Double

    init(firstZoom: Int, metres: Double) {
        self.firstZoom = firstZoom
        self.metres = metres
    }

    /// Nil where none is drawn apart.
    /// - Parameters:
    ///   - parentZoom: the zoom past which a leaf is drawn.
    ///   - place: where it lies.
    init?(
        of shares: CoincidentLeaves, _ rule: SpreadPoints.Rule, parentZoom: (Int) -> Int,
        place: (Int) -> WorldPoint
    ) {
        self.init(firstZoom: Int(rule.zoom), metres: 0)
        var isThere = false
        /// Where points stand of as many as were met last, and how far they go.
        var offsets: [(x: Double, y: Double)] = []
        var reach = 0.0
        // Those of one place share their parent, so the first of them tells.
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

    /// What holds for both.
    static func union(_ first: SpreadExtent?, _ second: SpreadExtent?) -> SpreadExtent? {
        guard let first, let second else { return first ?? second }
        return SpreadExtent(
            firstZoom: min(first.firstZoom, second.firstZoom),
            metres: max(first.metres, second.metres))
    }
}

extension SpreadPoints.Rule {
    /// A pixel of the zoom at which this is measured, as a part of the world's side.
    var pixel: Double { 1 / (512 * Double(UInt64(1) << UInt64(zoom))) }

    /// How far from their place the farthest of some points is drawn, as a part of the world's side.
    fileprivate func reach(of offsets: [(x: Double, y: Double)]) -> Double {
        let squares = offsets.map { $0.x * $0.x + $0.y * $0.y }
        return (squares.max() ?? 0).squareRoot() * pixel
    }
}

extension TileGrid {
    /// Whether two places are one unit.
    fileprivate func joins(_ a: WorldPoint, _ b: WorldPoint) -> Bool {
        unitX(Self.fixed(a.x)) == unitX(Self.fixed(b.x))
            && unitY(Self.fixed(a.y)) == unitY(Self.fixed(b.y))
    }
}

extension BlockSink {
    mutating func write(_ extent: SpreadExtent?) {
        write(extent?.firstZoom ?? -1)
        write(extent?.metres ?? 0)
    }
}

extension BlockSource {
    mutating func spreadExtent() throws(Damaged) -> SpreadExtent? {
        let (zoom, metres) = (try int(), try double())
        return zoom < 0 ? nil : SpreadExtent(firstZoom: zoom, metres: metres)
    }
}
