import Geometry
import TileArchive

/// An archive that keeps one of its tiles to itself.
struct Hiding: ArchiveContents {
    private let archive: MBTiles
    private let tile: TileID

    init(_ path: String, _ tile: TileID) {
        archive = try! MBTiles(path: path)
        self.tile = tile
    }

    var metadata: ArchiveMetadata {
        var metadata = archive.metadata
        metadata.tilesHash = nil
        return metadata
    }
    var layout: ArchiveLayout { archive.layout }
    var warnings: [ArchiveWarning] { archive.warnings }
    var hasClusters: Bool { archive.hasClusters }

    func tileFinder(cacheBytes: Int) throws(ArchiveError) -> any TileFinder {
        try archive.tileFinder(cacheBytes: cacheBytes)
    }
    func tileWalk(zooms: ClosedRange<Int>) throws(ArchiveError) -> any TileWalk {
        HidingWalk(try archive.tileWalk(zooms: zooms), tile)
    }
    func clusterPayloads() throws(ArchiveError) -> (any ClusterPayloadSource)? {
        try archive.clusterPayloads()
    }
    func audit() throws(ArchiveError) -> ContainerAudit { try archive.audit() }
}

private final class HidingWalk: TileWalk {
    private let walk: any TileWalk
    private let tile: TileID

    init(_ walk: any TileWalk, _ tile: TileID) {
        self.walk = walk
        self.tile = tile
    }

    func next(_ bytes: inout [UInt8]) throws(ArchiveError) -> TileID? {
        let next = try walk.next(&bytes)
        return next == tile ? try walk.next(&bytes) : next
    }
}
