import ArchiveContract
import Geometry
import Platform

/// An archive that was checked and can be read, whatever contains it. Any number of threads may share the value.
///
/// Each thread then opens what it needs: `openTiles` to look up tiles, `scan` to go through them, `openClusters`
/// for queries about clusters. Each of these is a connection of its own.
public struct Archive: Sendable {
    public let path: String
    private let container: any ArchiveContents
    /// The name of the kind of container.
    public let containerName: String
    /// The archive's description of its clusters, or why it cannot be used; nil if there is none.
    public let description: Result<ClusterDescription, DescriptionError>?

    /// Opens a file or folder, and throws if it is not an archive of a known kind.
    public init(path: String) throws(ArchiveError) {
        let known = ArchiveContainers.all
        let kind =
            Self.isAddress(path)
            ? known.first { $0.readsAddresses }
            : try Self.kind(of: path) ?? ArchiveContainers.container(named: path) ?? known.first
        guard let kind else { throw .unreadable(path: path, reason: "no kind of archive is known") }
        self.init(try kind.init(path: path), named: kind.name, path: path)
    }

    /// The kind of the file or folder at a path; nil if it is unknown.
    private static func kind(
        of path: String
    ) throws(ArchiveError) -> (any ArchiveContainer.Type)? {
        do {
            if try FileStatus(of: path).kind == .directory {
                return ArchiveContainers.all.first { $0.mayStart(with: []) }
            }
            // More bytes than any kind needs; fewer if the file is shorter.
            let start = try File(readingRegular: path).bytes(upTo: 512)
            return ArchiveContainers.container(of: start)
        } catch {
            throw .unreadable(path: path, reason: error.description)
        }
    }

    /// The contents, whatever holds them.
    package var contents: any ArchiveContents { container }

    /// Wraps contents that can be read like an archive.
    public init(_ contents: any ArchiveContents, named name: String, path: String) {
        container = contents
        containerName = name
        description = contents.metadata.clusterDescription
        self.path = path
    }

    /// The kind of container, if there is one.
    public var kind: (any ArchiveContainer.Type)? {
        (container as? any ArchiveContainer).map { type(of: $0) }
    }
    public var layout: ArchiveLayout { container.layout }
    public var metadata: ArchiveMetadata { container.metadata }
    /// Oddities of the archive that do not keep it from being read.
    public var warnings: [ArchiveWarning] { container.warnings }
    /// Whether the archive has Covey's tables for cluster queries.
    public var hasClusters: Bool { container.hasClusters }
    /// Whether it is known to have been replaced since it was opened, for sources without file dates.
    public var isStale: Bool { container.isStale }
    /// Whether all that is opened later is of the files that were opened first, whatever has their names by then.
    public var holdsFiles: Bool { container.holdsFiles }
    /// The same archive with its files held, if possible. A file that is held may not be written by this process.
    public func holdingFiles() throws(ArchiveError) -> Archive {
        Archive(try container.holdingFiles(), named: containerName, path: path)
    }
    /// The files that may be served to clients range by range, unchanged.
    public var files: [String] { container.files }
    /// One of those files, if it is on this machine.
    public func openFile(_ index: Int) throws(FileError) -> File? {
        try container.openFile(index)
    }
    /// Whether vector tiles must be gzip, or must not be; nil if they may be either.
    public var wantsGzip: Bool? { container.wantsGzip }
    /// Why the described clusters of the archive cannot be used for queries.
    public var clustersFault: ArchiveError? { container.clustersFault }

    /// The limit on the work of going through its tiles.
    package var workBudget: WorkBudget { WorkBudget(fileBytes: container.byteCount) }

    /// Opens a connection that looks up tiles, and keeps that many bytes of the file in memory.
    public func openTiles(cacheBytes: Int = 16 << 20) throws(ArchiveError) -> TileLookup {
        TileLookup(try container.tileFinder(cacheBytes: cacheBytes), path: path)
    }

    /// Goes through the tiles of some zooms, by zoom, column and row.
    public func scan(zooms: ClosedRange<Int> = 0...31) throws(ArchiveError) -> TileScan {
        TileScan(try container.tileWalk(zooms: zooms))
    }

    /// Goes through the tiles of some zooms, zoom by zoom along the Hilbert curve; nil if they are not stored in
    /// that order.
    public func scanAlongCurve(
        zooms: ClosedRange<Int> = 0...31
    ) throws(ArchiveError) -> TileScan? {
        guard let walk = try container.curveWalk(zooms: zooms) else { return nil }
        return TileScan(walk)
    }

    /// Goes through the tiles of some zooms, zoom by zoom, with tiles of the same contents as one group.
    /// - Parameter inKeyOrder: whether tiles come by column and row, and so one by one.
    package func scanGroups(
        zooms: ClosedRange<Int>, inKeyOrder: Bool = false
    ) throws(ArchiveError) -> GroupScan {
        GroupScan(
            inKeyOrder
                ? try container.tileWalk(zooms: zooms) : try container.contentWalk(zooms: zooms))
    }

    /// Goes through the numbers of tiles, in the order of `scan`, without their bytes.
    public func scanNumbers(
        zooms: ClosedRange<Int> = 0...31
    ) throws(ArchiveError) -> any TileWalk { try container.tileNumberWalk(zooms: zooms) }

    /// Opens a connection for queries about clusters; only one thread at a time may use it.
    public func openClusters() throws(ArchiveError) -> ClusterIndex {
        let described = try describedClusters()
        return try ClusterIndex(container.clusters().finder(), described, path: path)
    }

    /// Goes through the rows of the cluster index by key, which is a walk down the hierarchy: a cluster, then the
    /// clusters in it.
    public func scanClusters() throws(ArchiveError) -> any ClusterWalk {
        _ = try describedClusters()
        return try container.clusters().rows()
    }

    /// Goes through the leaf blocks, by number.
    public func scanLeafBlocks() throws(ArchiveError) -> LeafBlockScan {
        _ = try describedClusters()
        return LeafBlockScan(try container.clusters().leafBlocks())
    }

    /// Goes through the index of ids, if ids are places; otherwise it is empty.
    public func scanIDs() throws(ArchiveError) -> any IDWalk {
        _ = try describedClusters()
        return try container.clusters().ids()
    }

    /// The payloads of its clusters; nil up to format 3, where leaves are divided differently.
    package func openPayloads() throws(ArchiveError) -> ClusterPayloads? {
        let description = try describedClusters()
        guard description.format > 3, let source = try container.clusterPayloads() else {
            return nil
        }
        return try ClusterPayloads(source, description)
    }

    /// The division of its leaves into blocks.
    public func leafBlockTable() throws(ArchiveError) -> LeafBlockTable {
        _ = try describedClusters()
        return try container.clusters().finder().table
    }

    /// The range of zooms that have tiles; nil if there are no tiles.
    /// - Complexity: O(tiles), without reading their bytes.
    public func zooms() throws(ArchiveError) -> ClosedRange<Int>? { try container.zooms() }

    /// The faults of the container itself, not of the contents of its tiles.
    public func audit() throws(ArchiveError) -> ContainerAudit { try container.audit() }

    /// How many rows of tiles have numbers that name no tile; they are read nowhere.
    public func strayRows() throws(ArchiveError) -> Int { try container.strayRows() }

    /// The description of the clusters in its tables, if this version can read them.
    private func describedClusters() throws(ArchiveError) -> ClusterDescription {
        guard hasClusters else { throw clustersFault ?? .noClusters(path: path) }
        guard let description else {
            throw .damagedClusters(
                path: path,
                reason:
                    "the metadata have no row '\(ClusterDescription.rowName)', which describes it")
        }
        do {
            return try description.get()
        } catch {
            throw .unreadableClusters(path: path, error)
        }
    }
}
