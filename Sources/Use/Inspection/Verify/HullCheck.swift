import ArchiveContract

/// Checks the hull of a leaf block's points that is stored with them.
enum HullCheck {
    /// Notes a hull that is not that of the points, except for rounding of both.
    static func check(
        _ stored: [GridPoint]?, of points: [GridPoint], block: Int64,
        _ findings: inout FindingList
    ) {
        // Such a hull is what a build makes, or made in format 3; other programs may round differently.
        if stored == GridHull(wrapping: points).corners { return }
        let hull = GridHull(of: points).corners
        if stored == hull { return }
        guard let stored, covers(stored, hull), covers(hull, stored) else {
            findings.add(
                .error, "hull", "a leaf block's hull is not that of its points",
                at: "block \(block)")
            return
        }
    }

    /// Whether each corner is in the hull or within two steps of it.
    private static func covers(_ hull: [GridPoint], _ corners: [GridPoint]) -> Bool {
        corners.allSatisfy { corner in distance(of: corner, from: hull) <= slack }
    }

    private static let slack = 2.0

    /// The distance of a point from a convex hull; 0 inside it.
    private static func distance(of point: GridPoint, from hull: [GridPoint]) -> Double {
        var nearest = Double.infinity
        var sides = (left: false, right: false)
        for (a, b) in zip(hull, hull.dropFirst() + hull.prefix(1)) {
            let (dx, dy) = (Double(b.x) - Double(a.x), Double(b.y) - Double(a.y))
            let (px, py) = (Double(point.x) - Double(a.x), Double(point.y) - Double(a.y))
            let cross = dx * py - dy * px
            if cross > 0 { sides.left = true }
            if cross < 0 { sides.right = true }
            let length = dx * dx + dy * dy
            let part = length > 0 ? min(max((px * dx + py * dy) / length, 0), 1) : 0
            let (ex, ey) = (px - part * dx, py - part * dy)
            nearest = min(nearest, (ex * ex + ey * ey).squareRoot())
        }
        // A point inside is on one side of all edges; one on neither side is in line with all of them.
        return hull.count > 2 && sides.left != sides.right ? 0 : nearest
    }
}
