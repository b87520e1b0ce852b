import Conversion
import ArchiveContract
import Geometry
import TileArchive
import VectorTile

/// Checks points that are drawn apart, tile by tile: each must be near its place and have a leg from there.
///
/// Another check compares the place with the leaf blocks.
struct SpreadCheck: Sendable {
    private let layers: Set<String>
    /// How far from its place a point may be drawn, as a share of the world.
    private let reach: Double

    /// The greatest error of a place, as a share of the world. At the map's edge a degree is 12 times as long as elsewhere.
    private static let rounding = 0.5 / GridPoint.steps + 12 * 0.5e-7 / 360

    init(_ conventions: TileConventions, _ metadata: ArchiveMetadata) {
        layers = conventions.spread
        // For joined layers, the distance may be measured at different deepest zooms.
        let ends = metadata.vectorLayers.filter { conventions.spread.contains($0.id) }
            .compactMap(\.maxZoom)
        let deepest = ends.min() ?? metadata.maxZoom ?? 0
        reach = PointSpread.reach / (512 * Double(UInt64(1) << UInt64(deepest)))
    }

    /// - Parameter nodes: the nodes inside the tile that give their places.
    func check(_ tile: OpenedTile, _ nodes: [DrawnNode], _ findings: inout FindingList) {
        guard !layers.isEmpty,
            case .success(let bytes) = tile.contents, let legs = try? legs(in: bytes.span)
        else { return }
        // Several points may be drawn at one unit, each with its own leg.
        var strays = legs
        var without: [(node: DrawnNode, isFar: Bool)] = []
        func fail(_ message: String, _ node: DrawnNode) {
            findings.add(
                .error, "spread", message,
                at: "\(tile.id): a point at \(node.position.x),\(node.position.y)")
        }
        for node in nodes {
            guard let place = node.truePlace else { continue }
            let extent = Double(max(node.extent, 1))
            let unit = tile.id.width / extent
            let drawn = WorldPoint(node.position, in: tile.id, extent: UInt32(extent))
            var (dx, dy) = (place.x - drawn.x, place.y - drawn.y)
            dx -= dx.rounded()
            if (dx * dx + dy * dy).squareRoot() > reach + 2 * unit {
                fail("a point is drawn too far from its place", node)
            }
            // Both are rounded to units, and the place to the grid of all positions and to 1e-7°.
            let slack = 1.5 + Self.rounding / unit
            let (x, y) = (Double(node.position.x) + dx / unit, Double(node.position.y) + dy / unit)
            let own = (legs[node.position] ?? []).filter {
                abs(Double($0.x) - x) <= slack && abs(Double($0.y) - y) <= slack
            }
            strays[node.position]?.subtract(own)
            if own.isEmpty { without.append((node, max(abs(dx), abs(dy)) > slack * unit)) }
        }
        // If the place rounds to the same unit, there is no line to draw.
        for (node, isFar) in without where isFar || strays[node.position]?.isEmpty == false {
            fail("a point that is drawn apart has no leg to its place", node)
        }
    }

    /// The starts of a tile's legs, by their ends.
    private func legs(in bytes: Span<UInt8>) throws(TileError) -> [TilePoint: Set<TilePoint>] {
        let names = Set(layers.map { CompanionLayer.legs.name(beside: $0) })
        var found: [TilePoint: Set<TilePoint>] = [:]
        var reader = try TileReader(bytes)
        while let layer = try reader.nextLayer() {
            guard names.contains(layer.name) else { continue }
            var features = layer.features()
            while let feature = try features.next() {
                guard case .lines(let lines)? = try? feature.geometry() else { continue }
                for line in lines where line.count == 2 {
                    found[line[1], default: []].insert(line[0])
                }
            }
        }
        return found
    }
}
