import Basics
import Geometry
import TileArchive

/// Finds at how many zooms below it a tile stands for tiles that were left out: those at which no
/// tile is stored in its square.
///
/// It takes eight bytes for each tile.
struct CoveredZooms: Sendable {
    private let depth: Int
    private let maxZoom: Int
    /// The distances of all tiles along the curve, by zoom.
    private var distances = [[UInt64]](repeating: [], count: 32)

    /// Reads the numbers of all tiles; nil if the archive leaves none out.
    init?(_ archive: Archive, _ facts: CoveyFacts) throws(ArchiveError) {
        depth = facts.description.variableDepth
        maxZoom = Int(archive.metadata.maxZoom ?? 0)
        guard depth > 0 else { return nil }
        let numbers = try archive.scanNumbers()
        while let tile = try numbers.next() {
            distances[Int(tile.z)].append(Hilbert.distance(x: tile.x, y: tile.y, order: tile.z))
        }
        for zoom in distances.indices { distances[zoom].sort() }
    }

    /// The zooms at which a tile with only points is shown in place of others.
    func zooms(below tile: TileID) -> ClosedRange<Int>? {
        let distance = Hilbert.distance(x: tile.x, y: tile.y, order: tile.z)
        var last = Int(tile.z)
        while last < min(Int(tile.z) + depth, maxZoom) {
            let shift = 2 * UInt64(last + 1 - Int(tile.z))
            guard !has(at: last + 1, from: distance << shift, before: (distance + 1) << shift)
            else {
                break
            }
            last += 1
        }
        return last > Int(tile.z) ? Int(tile.z) + 1...last : nil
    }

    private func has(at zoom: Int, from start: UInt64, before end: UInt64) -> Bool {
        let distances = distances[zoom]
        let first = distances.indices.partitionPoint { distances[$0] >= start }
        return first < distances.count && distances[first] < end
    }
}
