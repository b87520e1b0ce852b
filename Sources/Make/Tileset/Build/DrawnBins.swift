import ArchiveContract
import Clustering
import Geometry
import Points
import TileArchive
import VectorTile

/// The bins of a layer at all zooms that have them, and the tiles that each is drawn in.
struct DrawnBins: Sendable {
    /// The settings for a layer's bins.
    struct Rule: Sendable {
        var bins: Bins
        var firstZoom: Int
        /// The deepest zoom that may have them.
        var lastZoom: Int
        /// Whether bins end where they hold few points.
        var endsByData: Bool
        /// The grids of all zooms from the first on.
        var grids: [TileGrid]
    }

    /// The least points in a bin: with fewer, the points themselves show as much.
    static let fewestPoints = 4

    let bins: Bins
    private(set) var levels: [Level] = []
    /// One for each tile that a bin is drawn in.
    private(set) var steps: [Step] = []
    /// Statistics of the attributes that bins carry besides the count and the name.
    private(set) var statistics: LayerStatistics

    /// The bins of a zoom.
    struct Level: Sendable {
        let grid: BinGrid
        let sets: PointSets
    }

    /// A bin in a tile.
    struct Step: Sendable {
        let level: UInt8
        let bin: UInt32
        let tile: TileID
    }

    var maxZoom: Int { levels.last?.grid.zoom ?? 0 }
    var count: Int { levels.reduce(0) { $0 + $1.sets.numbers.count } }

    /// About how many bytes the laid-out bins take: measured with six million.
    var byteCount: Int {
        levels.reduce(80 * steps.count) {
            $0 + 12 * $1.sets.numbers.count + $1.sets.attributes.byteCount
        }
    }

    /// - Parameters:
    ///   - rows: the points in leaf order.
    ///   - look: is called with the bins so far after each zoom, and may throw.
    /// - Returns: nil if no zoom has any.
    init?(
        _ rule: Rule, named name: String, of points: PointTable, rows: Column<UInt32>,
        options: ClusterOptions, threads: Int, look: (DrawnBins) throws -> Void
    ) rethrows {
        bins = rule.bins
        statistics = LayerStatistics(name: name)
        let facets = Set(
            options.facets.compactMap { points.attributes.keys.key(named: $0.facet.attribute) })
        guard rule.firstZoom <= rule.lastZoom, rows.count > 0 else { return nil }
        for zoom in rule.firstZoom...rule.lastZoom {
            let grid = BinGrid(bins, zoom: zoom)
            let sets = PointSets(
                of: points, rows: rows, options: options, bits: grid.bits, threads: threads
            ) { grid.bin(at: points.position(of: $0)) }
            let isFine = sets.numbers.count * Self.fewestPoints > rows.count
            if rule.endsByData, isFine, zoom > rule.firstZoom { return }
            levels.append(Level(grid: grid, sets: sets))
            statistics.include(sets.attributes, facets)
            addSteps(in: rule.grids[zoom - rule.firstZoom])
            try look(self)
        }
    }

    private mutating func addSteps(in tiles: TileGrid) {
        let level = levels.count - 1
        for bin in 0..<levels[level].sets.numbers.count {
            for tile in outline(level: level, bin: bin, in: tiles).tiles {
                steps.append(Step(level: UInt8(level), bin: UInt32(bin), tile: tile))
            }
        }
    }

    /// The bins' layer as the archive's metadata describe it.
    func vectorLayer(keys: [String]) -> VectorLayer {
        let zooms = UInt8(levels.first?.grid.zoom ?? 0)...UInt8(maxZoom)
        var layer = statistics.vectorLayer(keys: keys, zooms: zooms)
        let names = bins.shape == .square ? [VectorLayer.Field(Bins.quadbin, .string)] : []
        layer.fields.insert(
            contentsOf: [.init(ClusterAttribute.pointCount.name, .number)] + names, at: 0)
        return layer
    }

    /// A bin as the tiles of a zoom see it.
    func outline(level: Int, bin: Int, in tiles: TileGrid) -> BinOutline {
        BinOutline(
            of: levels[level].sets.numbers[bin], in: levels[level].grid,
            extentBits: tiles.extentBits, buffer: tiles.buffer)
    }
}
