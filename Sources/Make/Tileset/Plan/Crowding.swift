import Clustering
import Geometry
import ParallelColumns
import Points
import Recipes
import TileArchive

/// Finds tiles past the cluster zooms that would be too full; their points are clustered there too.
/// All other points are drawn singly as soon as the cluster zooms end.
///
/// A tile is too full if its points, drawn singly, are more than it may show or take more bytes, and the tile
/// around it is too full as well. A point takes part in clusters from the deepest zoom on at which its tile is
/// too full. So that zoom depends only on the points in one tile of the first zoom.
struct Crowding {
    private let name: String
    private let wraps: Bool
    private let tiles: TileOptions
    /// The zooms past the cluster zooms.
    private let zooms: ClosedRange<Int>

    /// The greatest ratio between the sizes of a tile before and after compression.
    private static let mostPacked = 64
    /// A ratio greater than most.
    private static let usuallyPacked = 16

    /// Nil if a layer has no zooms past those of its clusters.
    init?(in layer: Recipe.Layer, _ options: ClusterOptions, _ plan: ZoomPlan) {
        let (first, last) = (options.maxZoom + 1, Int(plan.maxZoom))
        guard layer.isClustered, first <= last else { return nil }
        name = layer.name
        wraps = options.wrap
        tiles = plan.tiles
        zooms = first...last
    }

    /// The width of a tile whose points are considered together.
    var tileWidth: Double { 1 / Double(1 << zooms.lowerBound) }

    /// The zooms from which on points of a layer take part in clusters; nil if no tile is too full.
    /// - Parameter options: the layer's clustering options, which are extended to the deepest zoom if a tile is too full.
    func entryZooms(
        of table: PointTable, deepening options: inout ClusterOptions, threads: Int
    ) -> EntryZooms? {
        var entries: EntryZooms?
        var full = FullTiles(
            of: table, at: UInt8(zooms.lowerBound), WeightLimit(tiles), wraps: wraps)
        for zoom in zooms {
            full.descend(to: UInt8(zoom))
            full.keep(where: areTooFull(full, threads))
            if full.tiles.isEmpty { break }
            options.maxZoom = zooms.upperBound
            entries = entries ?? EntryZooms(usual: zooms.lowerBound - 1, count: table.count)
            for row in full.rows { entries?.set(Int(row), to: zoom) }
        }
        return entries
    }

    private func areTooFull(_ full: FullTiles, _ threads: Int) -> [Bool] {
        let candidates = Array(zip(full.rowsOfTiles, full.weights))
        let most = min(tiles.maxBytes, TileLookup.largestStored)
        return Workers.with(threads, expecting: 0) { workers in
            workers.map(candidates) { rows, weight in
                rows.count > tiles.maxFeatures ?? .max
                    || weight / Self.mostPacked > most
                    || take(moreThan: most, rows, weight, of: full.table)
            }
        }
    }

    /// Whether a tile with these points takes more bytes than the limit.
    private func take(
        moreThan limit: Int, _ rows: [Int], _ weight: Int, of table: PointTable
    ) -> Bool {
        func bytes(of rows: [Int]) -> Int {
            SampleTile.bytes(of: table, named: name, rows: rows, compression: tiles.compression)
        }
        let share = UInt64(weight / Self.usuallyPacked / limit)
        guard share > 1 else { return bytes(of: rows) > limit }
        // If a share of the points takes too much, all do. Positions decide which are in it.
        let some = rows.filter { row in
            let place = table.xs[row].bitPattern ^ (table.ys[row].bitPattern &* 3)
            return ((place &* 0x9E37_79B9_7F4A_7C15) >> 32) % share == 0
        }
        return bytes(of: some) > limit || bytes(of: rows) > limit
    }
}

/// A limit that is checked point by point: a tile whose points weigh no more is not too full.
struct WeightLimit {
    let bytes: Int
    /// The least weight of a point, so that more points than a tile may show weigh more than the limit.
    private let least: Int

    init(_ tiles: TileOptions) {
        // Readers refuse larger tiles; and sums over all points do not overflow.
        let most = min(tiles.maxBytes, TileLookup.largestStored)
        bytes = most
        least = tiles.maxFeatures.map { most / $0 + 1 } ?? 0
    }

    /// The weight of a point: about the bytes that it takes in a tile before compression, seldom less.
    @inline(__always)
    func weight(ofRecord bytes: Int) -> Int { max(least, 16 + 2 * bytes) }

    /// Whether so many points might weigh more than the limit.
    func mayBeExceeded(by points: Int, recordBytes: Int) -> Bool {
        points > 0 && bytes / points < max(least, 16) + 2 * recordBytes / points + 1
    }
}
