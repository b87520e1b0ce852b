import ArchiveContract
import Geometry

/// An archive that was found fit for reading, whatever contains it; any number of threads may share
/// the value.
///
/// Each thread then opens what it needs: `openTiles` to look tiles up, `scan` to go through them,
/// `openClusters` to ask about clusters. Each of these is a connection of its own.
public struct Archive: Sendable {
    public let path: String
    private let container: any ArchiveContents
    /// The name of the kind of container.
    public let containerName: String
    /// What the archive says of its clusters, or why that cannot be followed; nil if it says nothing.
    public let description: Result<ClusterDescription, DescriptionError>?

    /// Looks at a file or folder, and refuses what is no archive of a known kind.
    public init(
        path: String, known: [any ArchiveContainer.Type] = ArchiveContainers.all
    ) throws(ArchiveError) {
        let kind =
            Self.isAddress(path)
            ? known.first { $0.readsAddresses }
            : try ArchiveStart.container(of: path, among: known) ?? known.first
        guard let kind else { throw .unreadable(path: path, reason: "no kind of archive is known") }
        self.init(try kind.init(path: path), named: kind.name, path: path)
    }

    /// What is behind it.
    package var contents: any ArchiveContents { container }

    /// Something that can be read like an archive.
    public init(_ contents: any ArchiveContents, named name: String, path: String) {
        container = contents
        containerName = name
        description = contents.metadata.clusterDescription
        self.path = path
    }

    /// The kind of container, if it is one.
    public var kind: (any ArchiveContainer.Type)? {
        (container as? any ArchiveContainer).map { type(of: $0) }
    }
    public var layout: ArchiveLayout { container.layout }
    public var metadata: ArchiveMetadata { container.metadata }
    /// What is odd about the archive without keeping it from being read.
    public var warnings: [ArchiveWarning] { container.warnings }
    /// Whether the archive has Covey's tables for cluster queries.
    public var hasClusters: Bool { container.hasClusters }
    /// Whether it is known to have been replaced since it was opened, where no file's date tells.
    public var isStale: Bool { container.isStale }
    /// The files that a client may be given range by range, as they are.
    public var files: [String] { container.files }
    /// Whether vector tiles must be gzip, or must not be; nil where they may be either.
    public var wantsGzip: Bool? { container.wantsGzip }
    /// Why clusters that the archive tells of cannot be asked about.
    public var clustersFault: ArchiveError? { container.clustersFault }

    /// What going through its tiles may come to.
    package var workBudget: WorkBudget { WorkBudget(fileBytes: container.byteCount) }
    /// The same where what tiles share is looked at once.
    package var contentBudget: WorkBudget {
        WorkBudget(fileBytes: container.byteCount, countsContents: true)
    }

    /// Looks tiles up; so much of the file is kept in memory.
    public func openTiles(cacheBytes: Int = 16 << 20) throws(ArchiveError) -> TileLookup {
        TileLookup(try container.tileFinder(cacheBytes: cacheBytes), path: path)
    }

    /// Goes through the tiles of some zooms, by zoom, column and row.
    public func scan(zooms: ClosedRange<Int> = 0...31) throws(ArchiveError) -> TileScan {
        TileScan(try container.tileWalk(zooms: zooms))
    }

    /// Goes through the tiles of some zooms, zoom by zoom along the Hilbert curve; nil where they are
    /// not kept in that order.
    public func scanAlongCurve(
        zooms: ClosedRange<Int> = 0...31
    ) throws(ArchiveError) -> TileScan? {
        guard let walk = try container.curveWalk(zooms: zooms) else { return nil }
        return TileScan(walk)
    }

    /// Goes through the tiles of some zooms, zoom by zoom, those together that have the same contents.
    /// - Parameter inKeyOrder: whether they come by column and row, and so one by one.
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
    ) throws(ArchiveError) -> TileNumberScan {
        TileNumberScan(try container.tileNumberWalk(zooms: zooms))
    }

    /// A connection that answers questions about clusters; one thread at a time may use it.
    public func openClusters() throws(ArchiveError) -> ClusterIndex {
        let described = try describedClusters()
        return try ClusterIndex(container.clusters().finder(), described, path: path)
    }

    /// Goes through the rows of the cluster index, by key.
    public func scanClusters() throws(ArchiveError) -> ClusterScan {
        _ = try describedClusters()
        return ClusterScan(try container.clusters().rows())
    }

    /// Goes through the leaf blocks, by number.
    public func scanLeafBlocks() throws(ArchiveError) -> LeafBlockScan {
        _ = try describedClusters()
        return LeafBlockScan(try container.clusters().leafBlocks())
    }

    /// Goes through the index of ids, where ids are places; there is none where they are not.
    public func scanIDs() throws(ArchiveError) -> any IDWalk {
        _ = try describedClusters()
        return try container.clusters().ids()
    }

    /// The payloads of its clusters; nil to format 3, where blocks are cut otherwise.
    package func openPayloads() throws(ArchiveError) -> ClusterPayloads? {
        let description = try describedClusters()
        guard description.format > 3, let source = try container.clusterPayloads() else {
            return nil
        }
        return try ClusterPayloads(source, description)
    }

    /// How its leaves are cut into blocks.
    public func leafBlockTable() throws(ArchiveError) -> LeafBlockTable {
        _ = try describedClusters()
        return try container.clusters().finder().table
    }

    /// How many tiles and bytes each zoom has, shallowest first.
    /// - Complexity: O(tiles), without reading their bytes.
    public func zoomSummaries() throws(ArchiveError) -> [ZoomSummary] {
        try container.zoomSummaries()
    }

    /// What is wrong with the container itself, and not with what its tiles hold.
    public func audit() throws(ArchiveError) -> ContainerAudit { try container.audit() }

    /// What the archive says of the clusters in its tables, if this version can read them.
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
