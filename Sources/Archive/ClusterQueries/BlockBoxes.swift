import ArchiveContract
import Geometry
import TileArchive

/// The boxes around the points of all leaf blocks, which a search over all points reads first.
///
/// Leaves are numbered cluster by cluster, so a block is a compact patch of the map.
public struct BlockBoxes: Sendable {
    /// By block; nil if a block has no points.
    let boxes: [WorldBox?]

    /// The blocks whose box comes within `reach` of a position, nearest first, on a world that wraps.
    func blocks(near position: WorldPoint, reach: Double) -> [(block: Int64, distance: Double)] {
        var found: [(block: Int64, distance: Double)] = []
        for (block, box) in boxes.enumerated() {
            guard let box else { continue }
            let distance = box.distance(to: position)
            if distance <= reach { found.append((Int64(block), distance)) }
        }
        return found.sorted { ($0.distance, $0.block) < ($1.distance, $1.block) }
    }
}

extension ClusterQuery {
    /// The boxes of all blocks.
    /// - Parameters:
    ///   - mostBlocks: throws if there are more blocks.
    ///   - mostCorners: throws if their hulls have more corners.
    /// - Complexity: O(blocks and their corners).
    public mutating func blockBoxes(
        mostBlocks: Int64 = 1 << 20, mostCorners: Int = 1 << 26
    ) throws(ClusterQueryError) -> BlockBoxes {
        if let kept = try keptBoxes() { return BlockBoxes(boxes: kept.map(\.worldBox)) }
        let count = table.count
        guard count <= mostBlocks else { throw .tooManyBlocks(path: path) }
        var boxes: [WorldBox?] = []
        var cornersLeft = mostCorners
        for number in 0..<count {
            let corners = try hull(ofBlock: number)
            cornersLeft -= corners.count
            guard cornersLeft >= 0 else { throw .tooManyBlocks(path: path) }
            let box = WorldBox(around: corners.map(\.worldPoint))
            boxes.append(box.isEmpty ? nil : box)
        }
        return BlockBoxes(boxes: boxes)
    }
}

extension WorldBox {
    /// The distance of a position from the box, on a world that wraps; 0 inside.
    fileprivate func distance(to position: WorldPoint) -> Double {
        let dy = max(minY - position.y, 0, position.y - maxY)
        let dx =
            [-1.0, 0, 1].map { max(minX - (position.x + $0), 0, position.x + $0 - maxX) }.min() ?? 0
        return (dx * dx + dy * dy).squareRoot()
    }

    func contains(_ point: WorldPoint) -> Bool {
        point.x >= minX && point.x <= maxX && point.y >= minY && point.y <= maxY
    }
}
