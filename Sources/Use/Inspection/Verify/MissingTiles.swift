import Geometry
import TileArchive

/// Finds missing tiles in which the index has clusters, at the zooms that do not show what the
/// index has.
struct MissingTiles {
    let archive: Archive
    let facts: CoveyFacts
    /// The zooms at which each hierarchy is drawn; nil if it is not drawn.
    let drawnZooms: [ClosedRange<Int>?]

    /// The most missing tiles that are found.
    private static let most = 1_000

    /// - Complexity: O(clusters · zooms), without memory for either.
    func find(at zooms: [Int], _ findings: inout FindingList) throws(ArchiveError) {
        guard !zooms.isEmpty else { return }
        var tiles = try archive.openTiles()
        var found: Set<TileID> = []
        let rows = try archive.scanClusters()
        while let row = try rows.next() {
            guard case .cluster(let cluster) = row,
                let hierarchy = facts.index(ofLeaf: cluster.key.firstLeaf),
                let drawn = drawnZooms[hierarchy]
            else { continue }
            let first = max(cluster.parent.map { Int($0.zoom) + 1 } ?? 0, drawn.lowerBound)
            let last = min(Int(cluster.key.zoom), drawn.upperBound)
            for zoom in zooms where zoom >= first && zoom <= last {
                let tile = TileID(
                    holding: cluster.position.worldPoint.wrapped, zoom: UInt8(zoom))
                guard !found.contains(tile), found.count < Self.most else { continue }
                if try !tiles.has(tile) { found.insert(tile) }
            }
        }
        for tile in found.sorted() {
            findings.add(
                .error, "missing-tile",
                "a tile is missing: the index has a cluster in it", at: tile.description)
        }
    }
}

extension TileLookup {
    fileprivate mutating func has(_ tile: TileID) throws(ArchiveError) -> Bool {
        try withTile(at: tile) { _ in true } ?? false
    }
}
