import ArchiveContract
import Geometry
import TileArchive

extension ClusterQuery {
    /// The node that is drawn at `zoom` for the point nearest to a position, within the width of a marker: a cluster,
    /// or the point itself.
    /// - Parameters:
    ///   - position: where to look.
    ///   - zoom: the zoom that draws the node.
    ///   - blocks: the boxes of all blocks, if they are known.
    public mutating func node(
        at position: LonLat, zoom: Int, among blocks: BlockBoxes? = nil
    ) throws(ClusterQueryError) -> ClusterNode? {
        let reach = 50 / (512 * Double(1 << min(max(zoom, 0), Int(TileID.deepestZoom))))
        let boxes = if let blocks { blocks } else { try blockBoxes() }
        let leaf = try leaf(nearest: WorldPoint(position).wrapped, within: reach, among: boxes)
        return if let leaf { try node(holding: leaf, at: zoom) } else { nil }
    }

    /// The number of the point nearest to a position, if one is within `reach`.
    ///
    /// Blocks are read in the order of their distance, until none can hold a nearer point than the one found.
    public mutating func leaf(
        nearest position: WorldPoint, within reach: Double, among blocks: BlockBoxes
    ) throws(ClusterQueryError) -> Int64? {
        var best: (leaf: Int64, distance: Double)?
        for (block, distance) in blocks.blocks(near: position, reach: reach) {
            if let best, distance > best.distance { break }
            for (offset, point) in try positions(ofBlock: block).enumerated() {
                let across = point.x - position.x
                let near = WorldPoint(x: point.x - across.rounded(), y: point.y)
                let distance = near.squaredDistance(to: position).squareRoot()
                guard distance <= reach, distance < best?.distance ?? .infinity else { continue }
                best = (table.firstLeaf(ofBlock: block) + Int64(offset), distance)
            }
        }
        return best?.leaf
    }

    /// A part of a list of points.
    public struct Page: Sendable {
        public fileprivate(set) var leaves: [Leaf] = []
        /// The leaf number from which to go on; nil at the end of the list.
        public fileprivate(set) var next: Int64?
        fileprivate var bytes = 0
    }

    /// The points inside a box, in leaf order from number `start` on: at most `limit`, and only as many as a few
    /// blocks yield.
    /// - Parameters:
    ///   - box: it may cross the antimeridian, or be that of a map that was moved around the world.
    ///   - start: 0, or the `next` of the page before.
    ///   - limit: the most points of this page.
    ///   - blocks: the boxes of all blocks (`blockBoxes()`).
    public mutating func leaves(
        in box: LonLatBox, from start: Int64, limit: Int, among blocks: BlockBoxes
    ) throws(ClusterQueryError) -> Page {
        let wanted = Self.worldBoxes(of: box)
        let (start, count) = (max(start, 0), Int64(blocks.boxes.count))
        var page = Page()
        var blocksRead = 0
        for number in min(table.block(ofLeaf: start), count)..<count {
            guard let box = blocks.boxes[Int(number)],
                wanted.contains(where: { box.touches($0) || box.touches($0.moved(east: 1)) })
            else { continue }
            blocksRead += 1
            guard blocksRead <= Self.mostBlocksRead else {
                page.next = max(table.firstLeaf(ofBlock: number), start)
                return page
            }
            try collect(from: number, start: start, in: wanted, limit: limit, into: &page)
            if page.next != nil { return page }
        }
        return page
    }

    private mutating func collect(
        from block: Int64, start: Int64, in boxes: [WorldBox], limit: Int, into page: inout Page
    ) throws(ClusterQueryError) {
        let first = table.firstLeaf(ofBlock: block)
        let positions = try positions(ofBlock: block)
        let inside = positions.indices.filter { index in
            first + Int64(index) >= start
                && boxes.contains { $0.contains(positions[index]) }
        }
        let taken = try taking(
            inside.prefix(max(0, limit - page.leaves.count)), ofBlock: block,
            mostBytes: Self.mostBytesOfLeaf - page.bytes, takesFirst: page.leaves.isEmpty)
        page.leaves += taken.leaves
        page.bytes += taken.bytes
        guard taken.leaves.count < inside.count else { return }
        let next = first + Int64(inside[taken.leaves.count])
        guard !taken.isBeforeHuge || !page.leaves.isEmpty else {
            throw .largeLeaf(path: path, leaf: next)
        }
        page.next = next
    }

    /// The blocks that one answer reads at most, in about a tenth of a second.
    static var mostBlocksRead: Int { 16 }

    /// A box across the antimeridian is two boxes in the unit square; one that ends there holds points on it.
    private static func worldBoxes(of box: LonLatBox) -> [WorldBox] {
        let box = box.wrapped
        let crosses = box.crossesAntimeridian
        let spans: [(Double, Double)] =
            crosses || box.east == 180
            ? [(box.west, 180), (-180, crosses ? box.east : -180)] : [(box.west, box.east)]
        // Positions are stored in steps: one on an edge may be half a step beside it.
        let half = 0.5 / GridPoint.steps
        return spans.map { west, east in
            let corner = WorldPoint(LonLat(longitude: west, latitude: box.north))
            let opposite = WorldPoint(LonLat(longitude: east, latitude: box.south))
            return WorldBox(
                minX: corner.x - half, minY: corner.y - half, maxX: opposite.x + half,
                maxY: opposite.y + half)
        }
    }
}
