import Geometry

/// The boxes around what each zoom draws, without copies in margins.
struct DrawnBoxes: Sendable {
    private(set) var boxes: [UInt8: WorldBox] = [:]

    mutating func include(_ box: WorldBox, at zoom: UInt8) {
        guard !box.isEmpty else { return }
        boxes[zoom, default: .empty].include(box)
    }

    mutating func include(_ other: DrawnBoxes) {
        for (zoom, box) in other.boxes { include(box, at: zoom) }
    }

    /// The box that the archive states: the box of the deepest zoom, and those of shallower zooms, which draw
    /// more coarsely, where they stick out by more than rounding or touch tiles that a map would not ask for.
    var whole: WorldBox {
        boxes.sorted { $0.key > $1.key }.reduce(into: .empty) { whole, drawn in
            if !whole.stands(for: drawn.value, at: drawn.key) { whole.include(drawn.value) }
        }
    }
}

extension WorldBox {
    /// Whether a zoom's box lies in this one except for rounding, and touches no tiles that this
    /// one does not.
    fileprivate func stands(for other: WorldBox, at zoom: UInt8) -> Bool {
        let tiles = Double(UInt64(1) << UInt64(zoom))
        func stands(_ least: Double, _ most: Double, for start: Double, _ end: Double) -> Bool {
            let unit = 1 / tiles / 4_096
            return start >= least - unit && end <= most + unit
                && (least * tiles).rounded(.down) <= (start * tiles).rounded(.down)
                && (most * tiles).rounded(.up) > (end * tiles).rounded(.down)
        }
        return stands(minX, maxX, for: other.minX, other.maxX)
            && stands(minY, maxY, for: other.minY, other.maxY)
    }
}
