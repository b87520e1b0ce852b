import Geometry
import TileArchive

extension ClusterQuery {
    /// The corners of the smallest convex shape around the cluster's points, laid out around the
    /// cluster, so that a shape over the antimeridian stays in one piece.
    public mutating func hull(of id: Int64) throws(InspectionError) -> [WorldPoint] {
        let record = try cluster(id)
        let center = record.place.worldPoint.x
        let corners = try corners(of: record.leaves).map { point in
            WorldPoint(x: point.x - (point.x - center).rounded(), y: point.y)
        }
        return ConvexHull(of: corners).corners
    }

    /// The narrowest box around the cluster's points.
    public mutating func box(of id: Int64) throws(InspectionError) -> LonLatBox {
        let record = try cluster(id)
        var box = WorldBox.empty
        for corner in try corners(of: record.leaves) { box.include(corner.wrapped) }
        // A box of less than half the world is the narrowest; else the widest gap between points
        // decides, and corners do not tell all gaps.
        guard box.maxX - box.minX > 0.5 else { return box.lonLatBox }
        let places = try leaves(record.leaves).map(\.place.wrapped)
        return WorldBox(wrapping: places).lonLatBox
    }

    /// Points that the hull of some leaves is made of: of whole blocks their kept hulls.
    private mutating func corners(
        of numbers: Range<Int64>
    ) throws(InspectionError) -> [WorldPoint] {
        let size = ClusterIndex.leavesPerBlock
        var corners: [WorldPoint] = []
        var next = numbers.lowerBound
        while next < numbers.upperBound {
            let number = next / size
            let block = number * size..<(number + 1) * size
            let part = block.clamped(to: numbers)
            if part == block {
                corners += try hull(ofBlock: number)
            } else {
                corners += try leaves(part).map(\.place)
            }
            next = part.upperBound
        }
        return corners
    }

    private mutating func hull(ofBlock number: Int64) throws(InspectionError) -> [WorldPoint] {
        try asking { index throws(ArchiveError) in
            try index.hull(ofLeafBlock: number).map(\.worldPoint)
        }
    }

    /// What is drawn at `zoom` for the point nearest to a place: a cluster, or the point itself.
    public mutating func node(
        at place: LonLat, zoom: Int
    ) throws(InspectionError) -> ClusterNode? {
        guard let leaf = try leaf(nearest: WorldPoint(place)) else { return nil }
        return try asking { index throws(ArchiveError) in
            try index.node(holding: leaf, at: zoom)
        }
    }

    /// Reads blocks from the nearest on, until none can hold a nearer point than the one found.
    private mutating func leaf(nearest place: WorldPoint) throws(InspectionError) -> Int64? {
        var blocks: [(number: Int64, distance: Double)] = []
        let size = ClusterIndex.leavesPerBlock
        for number in 0..<(leafCount + size - 1) / size {
            var box = WorldBox.empty
            for corner in try hull(ofBlock: number) { box.include(corner) }
            blocks.append((number, box.distance(to: place)))
        }
        blocks.sort { ($0.distance, $0.number) < ($1.distance, $1.number) }
        var best: (leaf: Int64, distance: Double)?
        for block in blocks {
            if let best, block.distance > best.distance { break }
            for leaf in try leaves(ofBlock: block.number) {
                let across = leaf.place.x - place.x
                let near = WorldPoint(x: leaf.place.x - across.rounded(), y: leaf.place.y)
                let distance = near.squaredDistance(to: place).squareRoot()
                if distance < best?.distance ?? .infinity { best = (leaf.number, distance) }
            }
        }
        return best?.leaf
    }
}

extension WorldBox {
    /// How far a place lies outside, on a world that goes round; 0 inside.
    fileprivate func distance(to place: WorldPoint) -> Double {
        let dy = max(minY - place.y, 0, place.y - maxY)
        let dx = [-1.0, 0, 1].map { max(minX - (place.x + $0), 0, place.x + $0 - maxX) }.min() ?? 0
        return (dx * dx + dy * dy).squareRoot()
    }
}
