import Points
import Geometry

/// From which zoom on points of one place are drawn apart, and how far that takes them.
struct SpreadExtent: Equatable, Sendable {
    /// The first zoom that draws one of them.
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
        of shares: SpreadShares, _ rule: SpreadPoints.Rule, parentZoom: (Int) -> Int,
        place: (Int) -> WorldPoint
    ) {
        self.init(firstZoom: .max, metres: 0)
        /// How far points go of as many as were met last.
        var reach = (count: UInt32(0), part: 0.0)
        // Those of one place share their parent, so the first of them tells.
        for leaf in 0..<shares.count where shares.counts[leaf] > 1 && shares.ordinals[leaf] == 0 {
            guard parentZoom(leaf) < Int(rule.zoom) else { continue }
            let count = shares.counts[leaf]
            if reach.count != count { reach = (count, rule.reach(of: Int(count))) }
            firstZoom = min(firstZoom, parentZoom(leaf) + 1)
            metres = max(
                metres,
                DrawnPrecision.metres(ofPart: reach.part, at: place(leaf).lonLat.latitude))
        }
        if firstZoom == .max { return nil }
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

    /// How far from their place the farthest of so many points is drawn, as a part of the world's side.
    func reach(of count: Int) -> Double {
        let squares = SpreadPoints.offsets(count, apart: pixels).map { $0.x * $0.x + $0.y * $0.y }
        return (squares.max() ?? 0).squareRoot() * pixel
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
