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

    /// The box that an archive is said to have: around what all zooms draw, so that it touches every tile
    /// that owns anything.
    var whole: WorldBox { boxes.values.reduce(into: .empty) { $0.include($1) } }
}
