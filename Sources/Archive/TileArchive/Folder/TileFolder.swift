import Geometry
import Platform

/// An archive that is a folder: `z/x/y.pbf`, `metadata.json`, and the files that a static host needs to serve it.
/// Folders of other programs can be read, too.
///
/// Nothing outside the folder is ever opened: links in it are not followed.
public struct TileFolder: ArchiveContainer {
    public static let name = "folder"
    /// A name that ends with a slash.
    public static let endings = ["/"]
    public static func mayStart(with bytes: [UInt8]) -> Bool { bytes.isEmpty }

    public static func sink(
        to path: String, options: SinkOptions
    ) throws(ArchiveError) -> any ArchiveSink {
        try FolderSink(to: path, options: options)
    }

    /// More bytes than any tile or document that a map can use has, and few enough to do no harm.
    static let largestFile = TileLookup.largestTile

    /// Whether the names in a folder are those of an archive: a description and zooms.
    public static func lies(at path: String) -> Bool {
        guard let root = try? OpenDirectory(path) else { return false }
        return descriptions.contains { (try? root.status(of: $0))?.isRegular ?? false }
            && FolderMetadata.hasZooms(root)
    }

    /// The files that describe the folder.
    public static let descriptions = [FolderNames.metadata, FolderNames.tileJSON]

    private let path: String
    private let tiles: FolderTiles
    public let metadata: ArchiveMetadata
    public let layout = ArchiveLayout(name: "folder", words: "a file a tile")
    public let warnings: [ArchiveWarning]
    private let clusters: FolderClusters?
    public let clustersFault: ArchiveError?
    public var hasClusters: Bool { clusters != nil }

    public init(path: String) throws(ArchiveError) {
        let root: OpenDirectory
        do {
            root = try OpenDirectory(path)
        } catch {
            throw .unreadable(path: path, reason: "\(error)")
        }
        let found = try FolderMetadata(in: root, path: path)
        metadata = found.metadata
        warnings = found.warnings
        tiles = FolderTiles(
            path: path, format: metadata.format, rowsFromSouth: found.rowsFromSouth)
        self.path = path
        guard case .success(let described)? = metadata.clusterDescription,
            let blocks = described.blocks
        else {
            (clusters, clustersFault) = (nil, nil)
            return
        }
        do throws(ArchiveError) {
            clusters = try FolderClusters(in: root, path: path, blocks)
            clustersFault = nil
        } catch {
            (clusters, clustersFault) = (nil, error)
        }
    }

    public func tileFinder(cacheBytes: Int) throws(ArchiveError) -> any TileFinder {
        try FolderTileFinder(tiles)
    }

    public func tileWalk(zooms: ClosedRange<Int>) throws(ArchiveError) -> any TileWalk {
        try FolderTileWalk(tiles, zooms: zooms)
    }

    public func audit() throws(ArchiveError) -> ContainerAudit {
        let walk = try FolderTileWalk(tiles, zooms: 0...31)
        while try walk.next() != nil {}
        var damage: [String] = []
        if let clusters { damage = clusters.damage(of: clusters.blocks) }
        if !warnings.contains(.noMetadata), let root = try? OpenDirectory(path) {
            damage += FolderMetadata.faultsOfTileJSON(in: root, beside: metadata, path: path)
        }
        return ContainerAudit(damage: damage, strays: walk.strays)
    }

    // MARK: Clusters

    public func clusterPayloads() throws(ArchiveError) -> (any ClusterPayloadSource)? {
        guard let clusters else { throw clustersFault ?? .noClusters(path: path) }
        return clusters
    }
}
