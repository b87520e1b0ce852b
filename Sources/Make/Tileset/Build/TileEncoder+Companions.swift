import ArchiveContract
import Geometry
import JSON
import VectorTile

// The features of tiles besides points and clusters.
extension TileEncoder {
    mutating func writeHeat(_ member: Int, of layer: DrawnLayer, _ node: PlacedNode) {
        builder.beginPoint(id: nil, x: node.x, y: node.y)
        let cluster = member - layer.tree.leafCount
        // A single point has no count: most are single, and a count of 1 is implied.
        if cluster >= 0 {
            scalar.set(unsigned: UInt64(layer.leaves[cluster]))
            builder.addTag(countKey, packed: scalar.span)
        }
        builder.endFeature()
    }

    /// A line from a point's position to where it is drawn, in a tile's units.
    struct Leg: Equatable {
        let from: TilePoint
        let to: TilePoint
    }

    /// The leg of a point, from its position to where it is drawn, in a tile's units; nil if both
    /// round to the same unit.
    /// - Parameter node: a step of the leg in the tile.
    func leg(
        of leaf: Int, _ layer: DrawnLayer, _ node: PlacedNode, _ grid: TileGrid
    ) -> Leg? {
        guard let drawn = layer.spread?.position(ofLeaf: leaf) else { return nil }
        let step = (x: nodes.xs[node.row], y: nodes.ys[node.row])
        func local(_ point: WorldPoint) -> TilePoint {
            let east = grid.distance(
                fromX: step.x, toX: TileGrid.fixed(point.x))
            let south = grid.unitY(TileGrid.fixed(point.y)) - grid.unitY(step.y)
            return TilePoint(
                x: node.x + Int32(truncatingIfNeeded: east),
                y: node.y + Int32(truncatingIfNeeded: south))
        }
        let leg = Leg(from: local(layer.position(ofLeaf: leaf)), to: local(drawn))
        return leg.from == leg.to ? nil : leg
    }

    mutating func writeBin(_ step: Int, of layer: DrawnLayer, _ tiles: TileGrid) {
        guard let bins = layer.bins else { return }
        let step = bins.steps[step]
        let (number, level) = (Int(step.bin), bins.levels[Int(step.level)])
        let bin = level.sets.numbers[number]
        let rings = bins.outline(level: Int(step.level), bin: number, in: tiles)
            .rings(in: step.tile)
        builder.beginFeature(
            id: level.grid.id(of: bin),
            .rings(rings.map { $0.map { TilePoint(x: Int32($0.x), y: Int32($0.y)) } }))
        scalar.set(unsigned: UInt64(level.sets.counts[number]))
        builder.addTag(countKey, packed: scalar.span)
        if let quadbin = level.grid.quadbin(of: bin) {
            scalar.set(shortText: quadbin)
            builder.addTag(quadbinKey, packed: scalar.span)
        }
        level.sets.attributes.withRecord(of: number) { builder.addTags(of: $0) }
        builder.endFeature()
    }

    mutating func write(_ leg: Leg, of leaf: Int, _ layer: DrawnLayer) {
        builder.beginFeature(id: nil, .lines([[leg.from, leg.to]]))
        scalar.set(shortText: layer.position(ofLeaf: leaf).lonLat.jsonText)
        builder.addTag(placeKey, packed: scalar.span)
        builder.endFeature()
    }
}

extension LonLat {
    /// The place as GeoJSON has positions, to 1 cm.
    var jsonText: String {
        let numbers = [longitude, latitude].map {
            JSONValue(canonical: ($0 * 1e7).rounded() / 1e7 + 0)
        }
        return JSONValue.array(numbers).text()
    }
}
