import ClusterQueries
import Geometry
import JSON
import TileArchive

/// What a style takes from an archive's tiles, zoom by zoom: the counts of clusters and bins, how
/// dense the densest places are, and which values are common.
///
/// All tiles of shallow zooms are read. Deeper ones follow from the zoom before: tiles around the
/// densest places, for the heat, and tiles of nodes that are drawn from all, for the counts.
struct CountSamples {
    /// A cluster, a bin or a point.
    private struct Node {
        let place: WorldPoint
        let weight: TileFeatures.Weight
        /// How many nodes of the zoom it stands for; 0 if it was only met on the way.
        var share: Double
    }

    /// Tiles of a zoom in the order in which they are read, and how many others each stands for.
    private struct Draws {
        var tiles: [TileID] = []
        var shares: [TileID: Double] = [:]
    }

    private(set) var scales: [String: HeatScale]
    private var countsByZoom: [String: [Int: [(count: Int, share: Double)]]] = [:]
    /// By layer and value, the number of points.
    private var points: [String: [JSONValue: Double]] = [:]
    private var nodes: [String: [Node]] = [:]
    /// By layer, the densest places of the zoom before.
    private var densest: [String: [WorldPoint]] = [:]

    /// - Parameters:
    ///   - scales: how heat is drawn, by layer; the densities are measured.
    ///   - attributes: by layer, attributes whose values are counted.
    init(
        of archive: ServedArchive, scales: [String: HeatScale],
        valuesOf attributes: [String: [String]]
    ) throws(ServiceError) {
        self.scales = scales
        guard archive.archive.metadata.format == "pbf" else { return }
        let center = archive.archive.metadata.center ?? archive.archive.metadata.bounds?.center
        let position = WorldPoint(center ?? LonLat(longitude: 0, latitude: 0)).wrapped
        let finer = Set(scales.values.compactMap(\.finer?.layer))
        var bytesLeft = Self.mostBytes
        let end = ContinuousClock.now + .seconds(Self.mostSeconds)
        for zoom in archive.zooms {
            // Each zoom has its part of what is left. Look-ups may be slow, for instance in a slow SQLite view.
            let zoomsLeft = archive.zooms.upperBound - zoom + 1
            let enough = bytesLeft - bytesLeft / zoomsLeft
            let start = ContinuousClock.now
            let pause = start + (end - start) / zoomsLeft
            let draws = zoom < 3 ? [:] : self.draws(at: UInt8(zoom))
            let tiles = Self.together(draws.sorted { $0.key < $1.key }.map(\.value.tiles))
            var seen: [String: [Node]] = [:]
            for tile in tiles.isEmpty ? Self.tiles(around: position, zoom: UInt8(zoom)) : tiles {
                guard bytesLeft > enough, ContinuousClock.now < pause else { break }
                guard let bytes = try archive.sample(of: tile, limit: bytesLeft) else { continue }
                bytesLeft -= min(bytes.count, bytesLeft)
                // One bad tile must not prevent a style.
                let found = (try? TileFeatures(bytes).weights(valuedBy: attributes)) ?? [:]
                for (layer, weights) in found {
                    let share = draws[layer].map { $0.shares[tile] ?? 0 } ?? 1
                    seen[layer, default: []] += Self.nodes(weights, in: tile, standingFor: share)
                }
            }
            for (layer, nodes) in seen where !finer.contains(layer) {
                include(nodes, of: layer, at: zoom)
            }
            measure(seen, at: zoom)
        }
    }

    /// The time for sampling: a style is needed at once, even if the archive is remote or slow.
    private static let mostSeconds = 2
    /// The most bytes of samples; larger tiles are skipped.
    private static let mostBytes = 24 << 20
    /// The most tiles of a zoom past the shallow ones, for all layers together.
    private static let mostTiles = 96
    /// How many nodes are drawn for the counts of a layer.
    private static let drawnNodes = 40

    func steps(of layer: String) -> CountSteps? {
        CountSteps(countsByZoom: countsByZoom[layer] ?? [:])
    }

    /// The values of a layer, the commonest first.
    func values(of layer: String) -> [JSONValue] {
        (points[layer] ?? [:]).sorted { ($0.value, $1.key.text()) > ($1.value, $0.key.text()) }
            .map(\.key)
    }

    /// What is inside the tile; the rest is in the margin and belongs to its neighbours.
    private static func nodes(
        _ weights: [TileFeatures.Weight], in tile: TileID, standingFor share: Double
    ) -> [Node] {
        let (origin, width) = (tile.square, 1 / Double(UInt64(1) << UInt64(tile.z)))
        return weights.filter { (0..<1).contains($0.x) && (0..<1).contains($0.y) }.map {
            Node(
                place: WorldPoint(x: origin.minX + $0.x * width, y: origin.minY + $0.y * width),
                weight: $0, share: share)
        }
    }

    private mutating func include(_ found: [Node], of layer: String, at zoom: Int) {
        var found = found
        // None of the layer's own tiles were read: those of other layers must do.
        if !found.contains(where: { $0.share > 0 }) {
            for index in found.indices { found[index].share = 1 }
        }
        for node in found {
            guard let value = node.weight.value else { continue }
            points[layer, default: [:]][value, default: 0] += node.weight.count * node.share
        }
        let counted = found.filter { $0.weight.isCounted && $0.share > 0 }
        guard !counted.isEmpty else { return }
        nodes[layer] = counted
        countsByZoom[layer, default: [:]][zoom] = counted.map {
            (Int(exactly: $0.weight.count.rounded()) ?? .max, $0.share)
        }
    }

    /// Includes the densest places of layers with clusters.
    private mutating func measure(_ seen: [String: [Node]], at zoom: Int) {
        let side = 512 * Double(UInt64(1) << UInt64(zoom))
        for (layer, scale) in scales where countsByZoom[layer] != nil {
            guard let nodes = seen[scale.source(of: layer, at: zoom)] else { continue }
            let weights = nodes.map {
                TileFeatures.Weight(
                    x: $0.place.x * side, y: $0.place.y * side, count: $0.weight.count)
            }
            let places = scales[layer]?.include(weights, at: zoom) ?? []
            densest[layer] = places.map { WorldPoint(x: $0.x / side, y: $0.y / side) }
        }
    }

    /// The tiles that the zoom before leads to, by layer.
    private func draws(at zoom: UInt8) -> [String: Draws] {
        var draws = nodes.mapValues { Self.draws(of: $0, at: zoom) }
        for (layer, places) in densest {
            let reach = 3 * (scales[layer]?.radius(at: Int(zoom)) ?? 0) / 512
            let around = places.flatMap { Self.tiles(within: reach, of: $0, zoom: zoom) }
            // By turns, so that neither kind takes all the room.
            let drawn = draws[layer]?.tiles ?? []
            draws[layer]?.tiles = Self.together([around, drawn])
        }
        return draws
    }

    /// The tiles of nodes at even distances in the order of their counts. A tile with many nodes is drawn more often, and
    /// each time its nodes stand for fewer others, so that all of the zoom have the same weight.
    private static func draws(of nodes: [Node], at zoom: UInt8) -> Draws {
        let sorted = nodes.sorted {
            ($0.weight.count, $0.place.y, $0.place.x) < ($1.weight.count, $1.place.y, $1.place.x)
        }
        let tiles = sorted.map { TileID(holding: $0.place, zoom: zoom) }
        var sizes: [TileID: Double] = [:]
        for tile in tiles { sizes[tile, default: 0] += 1 }
        var draws = Draws()
        guard sizes.count > drawnNodes else {
            draws.shares = Dictionary(zip(tiles, sorted.map(\.share))) { first, _ in first }
            draws.tiles = spread(tiles.filter { sizes.removeValue(forKey: $0) != nil })
            return draws
        }
        let distance = sorted.reduce(0) { $0 + $1.share } / Double(drawnNodes)
        var next = distance / 2
        var passed = 0.0
        for (node, tile) in zip(sorted, tiles) {
            passed += node.share
            while next < passed {
                next += distance
                draws.tiles.append(tile)
                draws.shares[tile, default: 0] += distance / (sizes[tile] ?? 1)
            }
        }
        draws.tiles = spread(draws.tiles)
        return draws
    }

    /// The same tiles in an order of which every beginning is from all of them.
    private static func spread(_ tiles: [TileID]) -> [TileID] {
        let turns = tiles.indices.map {
            (Double($0) * 0.618033988749895).truncatingRemainder(dividingBy: 1)
        }
        return tiles.indices.sorted { turns[$0] < turns[$1] }.map { tiles[$0] }
    }

    /// Tiles with places up to a distance away, in parts of a tile; the nearest first.
    private static func tiles(within reach: Double, of place: WorldPoint, zoom: UInt8) -> [TileID] {
        let length = reach / Double(UInt64(1) << UInt64(zoom))
        return [0, -length, length].flatMap { dx in
            [0, -length, length].map { dy in
                TileID(holding: WorldPoint(x: place.x + dx, y: place.y + dy).wrapped, zoom: zoom)
            }
        }
    }

    /// All tiles down to zoom 2, nine tiles at deeper zooms.
    private static func tiles(around position: WorldPoint, zoom: UInt8) -> [TileID] {
        let side = 1 << Int(zoom)
        let middle = TileID(holding: position, zoom: zoom)
        let columns = zoom < 3 ? 0...(side - 1) : Int(middle.x) - 1...Int(middle.x) + 1
        let rows = zoom < 3 ? 0...(side - 1) : Int(middle.y) - 1...Int(middle.y) + 1
        return columns.flatMap { x in
            rows.compactMap { TileID(zoom: Int(zoom), column: (x + side) % side, row: $0) }
        }
    }

    /// The first tiles of each list, then the second ones, until there are enough.
    private static func together(_ lists: [[TileID]]) -> [TileID] {
        var tiles: [TileID] = []
        var taken: Set<TileID> = []
        for rank in 0..<(lists.map(\.count).max() ?? 0) {
            for list in lists where rank < list.count && taken.insert(list[rank]).inserted {
                tiles.append(list[rank])
                if tiles.count == mostTiles { return tiles }
            }
        }
        return tiles
    }
}
