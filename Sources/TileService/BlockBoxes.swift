import Geometry
import TileArchive

/// Where the points of each leaf block lie: what a search over all points looks at first.
///
/// Leaves are numbered cluster by cluster, so a block is a compact patch of the map.
struct BlockBoxes: Sendable {
    /// By block; nil where a block cannot be read or the index leaves it out.
    let boxes: [WorldBox?]

    /// - Complexity: O(blocks).
    init(of archive: ServedArchive, in index: inout ClusterIndex) throws(ServiceError) {
        let count =
            (index.leafBound + ClusterIndex.leavesPerBlock - 1) / ClusterIndex.leavesPerBlock
        var boxes: [WorldBox?] = []
        for number in 0..<count {
            let hull = try archive.reading { () throws(ArchiveError) in
                try index.hull(ofLeafBlock: number)
            }
            var box = WorldBox.empty
            for corner in hull { box.include(corner.worldPoint) }
            boxes.append(box.isEmpty ? nil : box)
        }
        self.boxes = boxes
    }

    /// The blocks whose box comes within `reach` of a place, nearest first. The world goes round.
    func blocks(near place: WorldPoint, reach: Double) -> [(block: Int, distance: Double)] {
        var found: [(block: Int, distance: Double)] = []
        for (block, box) in boxes.enumerated() {
            guard let box else { continue }
            let distance = [-1.0, 0, 1].map { box.distance(to: place.x + $0, place.y) }.min() ?? 0
            if distance <= reach { found.append((block, distance)) }
        }
        return found.sorted { ($0.distance, $0.block) < ($1.distance, $1.block) }
    }
}

extension WorldBox {
    /// How far a place lies outside; 0 inside.
    fileprivate func distance(to x: Double, _ y: Double) -> Double {
        let dx = max(minX - x, 0, x - maxX)
        let dy = max(minY - y, 0, y - maxY)
        return (dx * dx + dy * dy).squareRoot()
    }

    /// Whether two boxes have a place in common.
    func meets(_ other: WorldBox) -> Bool {
        minX <= other.maxX && other.minX <= maxX && minY <= other.maxY && other.minY <= maxY
    }

    func contains(_ point: WorldPoint) -> Bool {
        point.x >= minX && point.x <= maxX && point.y >= minY && point.y <= maxY
    }
}
