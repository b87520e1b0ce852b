import Conversion
import ArchiveContract
import Geometry
import VectorTile

/// Points that are drawn apart, tile by tile: each near its place, and with a leg from there.
///
/// That the place is the point's is held against the leaf blocks elsewhere.
struct SpreadCheck: Sendable {
    private let layers: Set<String>
    /// How far from its place a point may be drawn, of the world.
    private let reach: Double

    init(_ conventions: TileConventions, deepest: Int) {
        layers = conventions.spread
        reach = PointSpread.reach / (512 * Double(UInt64(1) << UInt64(deepest)))
    }

    func check(_ tile: OpenedTile, _ nodes: [DrawnNode], _ findings: inout FindingList) {
        guard !layers.isEmpty, nodes.contains(where: { $0.truePlace != nil }),
            case .success(let bytes) = tile.contents, let legs = try? legs(in: bytes.span)
        else { return }
        for node in nodes where node.isInTile {
            guard let place = node.truePlace else { continue }
            let extent = Double(max(node.extent, 1))
            let unit = tile.id.width / extent
            let drawn = WorldPoint(node.position, in: tile.id, extent: UInt32(extent))
            func fail(_ message: String) {
                findings.add(
                    .error, "spread", message,
                    at: "\(tile.id): a point at \(node.position.x),\(node.position.y)")
            }
            var (dx, dy) = (place.x - drawn.x, place.y - drawn.y)
            dx -= dx.rounded()
            if (dx * dx + dy * dy).squareRoot() > reach + 2 * unit {
                fail("a point is drawn too far from its place")
            }
            (dx, dy) = (dx / unit, dy / unit)
            let ends = legs[node.position] ?? []
            let hasLeg = ends.contains { start in
                abs(Double(start.x - node.position.x) - dx) <= 1.5
                    && abs(Double(start.y - node.position.y) - dy) <= 1.5
            }
            // Where the place is the very unit, there is no line to be drawn.
            if !hasLeg, abs(dx) > 1.5 || abs(dy) > 1.5 || !ends.isEmpty {
                fail("a point that is drawn apart has no leg to its place")
            }
        }
    }

    /// Where the legs of a tile begin, by where they end.
    private func legs(in bytes: Span<UInt8>) throws(TileError) -> [TilePoint: [TilePoint]] {
        let names = Set(layers.map { CompanionLayer.legs.name(beside: $0) })
        var found: [TilePoint: [TilePoint]] = [:]
        var reader = try TileReader(bytes)
        while let layer = try reader.nextLayer() {
            guard names.contains(layer.name) else { continue }
            var features = layer.features()
            while let feature = try features.next() {
                guard case .lines(let lines)? = try? feature.geometry() else { continue }
                for line in lines where line.count == 2 {
                    found[line[1], default: []].append(line[0])
                }
            }
        }
        return found
    }
}
