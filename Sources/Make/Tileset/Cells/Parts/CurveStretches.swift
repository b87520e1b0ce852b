import Basics
import Geometry

/// The stretches of the Hilbert curve, in tiles of the zoom of parts' blocks, that run through a
/// square and a margin around it.
struct CurveStretches {
    private(set) var stretches: [Range<UInt64>] = []

    /// - Parameter isInside: whether only tiles count that lie there as a whole, for all layers.
    init(of square: TileID, margin: Double, inside isInside: Bool = false) {
        let box = square.square.grown(by: margin)
        // A margin that crosses one end of the world continues at the other, for layers that wrap around.
        for shift in isInside ? [0] : [-1.0, 0, 1] {
            visit(TileID(z: 0, x: 0, y: 0), box.moved(east: shift), isInside)
        }
        merge()
    }

    /// Whether a stretch has a tile in common with one of these.
    func meet(_ stretch: ClosedRange<UInt64>) -> Bool {
        // The first one that does not end before it.
        let next = stretches.indices.partitionPoint {
            stretches[$0].upperBound > stretch.lowerBound
        }
        return next < stretches.count && stretches[next].lowerBound <= stretch.upperBound
    }

    /// Whether one of these contains a whole stretch.
    func hold(_ stretch: ClosedRange<UInt64>) -> Bool {
        let next = stretches.indices.partitionPoint {
            stretches[$0].upperBound > stretch.upperBound
        }
        return next < stretches.count && stretches[next].lowerBound <= stretch.lowerBound
    }

    /// The stretch that runs through a square and nothing else.
    static func stretch(of square: TileID) -> ClosedRange<UInt64> {
        let below = 2 * UInt64(PartBlock.zoom - square.z)
        let first = Hilbert.distance(x: square.x, y: square.y, order: square.z) << below
        return first...first + (1 << below) - 1
    }

    private mutating func visit(_ tile: TileID, _ box: WorldBox, _ mustBeInside: Bool) {
        let square = tile.square
        guard box.touches(square) else { return }
        let isInside =
            box.minX <= square.minX && box.maxX >= square.maxX && box.minY <= square.minY
            && box.maxY >= square.maxY
        if isInside || (tile.z == PartBlock.zoom && !mustBeInside) {
            stretches.append(Range(Self.stretch(of: tile)))
        } else if tile.z < PartBlock.zoom {
            for child in tile.children { visit(child, box, mustBeInside) }
        }
    }

    // The standard library's `RangeSet` sorts them without being specialized: a tenth of an update.
    private mutating func merge() {
        var merged: [Range<UInt64>] = []
        for stretch in stretches.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, stretch.lowerBound <= last.upperBound {
                let end = max(last.upperBound, stretch.upperBound)
                merged[merged.count - 1] = last.lowerBound..<end
            } else {
                merged.append(stretch)
            }
        }
        stretches = merged
    }
}
