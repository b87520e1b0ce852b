import ArchiveContract
import SQLite

/// The tables of clusters in archives up to format 3.
struct MBTilesClusterTables: ClusterSource {
    let archive: MBTiles
    let described: ClusterDescription?

    private var hasPlaces: Bool { described?.ids == .placed }

    func finder() throws(ArchiveError) -> any ClusterFinder {
        try archive.reading { database throws(SQLiteError) in
            try MBTilesClusterFinder(database, described, path: archive.path)
        }
    }

    func rows() throws(ArchiveError) -> any ClusterWalk {
        try archive.reading(walking: true) { database throws(SQLiteError) in
            try MBTilesClusterWalk(
                database, hasShifts: hasPlaces, archive.budget, path: archive.path)
        }
    }

    func leafBlocks() throws(ArchiveError) -> any LeafBlockWalk {
        try archive.reading(walking: true) { database throws(SQLiteError) in
            try MBTilesLeafBlockWalk(database, archive.budget, path: archive.path)
        }
    }

    func ids() throws(ArchiveError) -> any IDWalk {
        guard hasPlaces else { return NoIDs() }
        return try archive.reading(walking: true) { database throws(SQLiteError) in
            try MBTilesIDWalk(database, archive.budget, path: archive.path)
        }
    }
}
