import Geometry
import JSON
import TileArchive

extension ClusterAnswers {
    /// The number of the point nearest to a place, if one is within `reach`.
    ///
    /// Blocks are read from the nearest on, until none can hold a nearer point than the one found.
    mutating func leaf(
        nearest place: WorldPoint, reach: Double, in index: inout ClusterIndex
    ) throws(ServiceError) -> Int64? {
        let boxes = try blockBoxes(&index)
        var best: (leaf: Int64, distance: Double)?
        for (block, distance) in boxes.blocks(near: place, reach: reach) {
            if let best, distance > best.distance { break }
            let places = try leaves.places(ofBlock: Int64(block), in: &index)
            for (offset, point) in places.enumerated() {
                let across = point.x - place.x
                let near = WorldPoint(x: point.x - across.rounded(), y: point.y)
                let distance = near.squaredDistance(to: place).squareRoot()
                guard distance <= reach, distance < best?.distance ?? .infinity else { continue }
                best = (Int64(block) * ClusterIndex.leavesPerBlock + Int64(offset), distance)
            }
        }
        return best?.leaf
    }

    /// The points inside a box, in leaf order from number `start` on: at most `limit`, and no more
    /// than a few blocks' worth of looking; `next` tells where to go on.
    mutating func leaves(
        in box: LonLatBox, from start: Int64, limit: Int, _ index: inout ClusterIndex
    ) throws(ServiceError) -> JSONValue {
        let wanted = Self.worldBoxes(of: box)
        let boxes = try blockBoxes(&index).boxes
        let size = ClusterIndex.leavesPerBlock
        var found: [JSONValue] = []
        var blocksRead = 0
        for number in Int(min(start / size, Int64(boxes.count)))..<boxes.count {
            guard let box = boxes[number], wanted.contains(where: box.meets) else { continue }
            let first = Int64(number) * size
            guard blocksRead < Self.mostBlocksRead else {
                return GeoJSON.collection(found, next: max(first, start))
            }
            blocksRead += 1
            let places = try leaves.places(ofBlock: Int64(number), in: &index)
            for (offset, place) in places.enumerated() {
                let leaf = first + Int64(offset)
                guard leaf >= start, wanted.contains(where: { $0.contains(place) }) else {
                    continue
                }
                guard found.count < limit else {
                    return GeoJSON.collection(found, next: leaf)
                }
                found += try leaves.features(of: leaf..<(leaf + 1), in: &index).map(Self.geoJSON)
            }
        }
        return GeoJSON.collection(found)
    }

    /// About a tenth of a second's work.
    private static var mostBlocksRead: Int { 64 }

    /// A box over the antimeridian is two in the unit square.
    private static func worldBoxes(of box: LonLatBox) -> [WorldBox] {
        let spans =
            box.crossesAntimeridian
            ? [box.west...180, -180...box.east] : [box.west...box.east]
        return spans.map { span in
            let corner = WorldPoint(LonLat(longitude: span.lowerBound, latitude: box.north))
            let opposite = WorldPoint(LonLat(longitude: span.upperBound, latitude: box.south))
            return WorldBox(minX: corner.x, minY: corner.y, maxX: opposite.x, maxY: opposite.y)
        }
    }

    private func blockBoxes(_ index: inout ClusterIndex) throws(ServiceError) -> BlockBoxes {
        try archive.blockBoxes.get { () throws(ServiceError) in
            try BlockBoxes(of: archive, in: &index)
        }
    }
}
