import ArchiveContract
import Geometry
import Platform

/// A kind of file or folder that holds an archive: what it takes to read one and to write one.
///
/// A new kind is one type that conforms to this, and one entry in `ArchiveContainers.all`; builds,
/// inspection, queries and the server then know it.
public protocol ArchiveContainer: ArchiveContents {
    /// The name of the kind.
    static var name: String { get }
    /// The endings of the names of such files, without the dot.
    static var endings: [String] { get }
    /// Whether a file that starts with these bytes may be of this kind; a folder has none.
    static func mayStart(with bytes: [UInt8]) -> Bool

    /// Whether it reads archives on the web, by address.
    static var readsAddresses: Bool { get }

    // MARK: Writing

    /// All files that an archive at a path may replace.
    static func outputs(at path: String) -> [String]

    /// Begins an archive at a path, and throws before any work if it could not be finished.
    static func sink(
        to path: String, options: SinkOptions
    ) throws(ArchiveError) -> any ArchiveSink

    /// Opens an archive, and throws if the path is not one.
    init(path: String) throws(ArchiveError)
}

/// The readable contents of an archive, whatever holds them: a container, or several of them as one.
public protocol ArchiveContents: Sendable {
    var metadata: ArchiveMetadata { get }
    /// How the tiles are kept.
    var layout: ArchiveLayout { get }
    /// Oddities of the archive that do not keep it from being read.
    var warnings: [ArchiveWarning] { get }
    /// Whether the archive has Covey's cluster index and leaf blocks.
    var hasClusters: Bool { get }
    /// Whether it is known to have been replaced since it was opened, for sources without file dates.
    var isStale: Bool { get }
    /// Whether all that is opened later is of the files that were opened first, whatever has their names by then.
    var holdsFiles: Bool { get }
    /// The same contents with its files held, if possible. A file that is held may not be written by this process.
    func holdingFiles() throws(ArchiveError) -> Self
    /// The files that may be served to clients range by range, unchanged.
    var files: [String] { get }
    /// One of those files, if it is on this machine.
    func openFile(_ index: Int) throws(FileError) -> File?
    /// Why the described clusters of the archive cannot be used for queries.
    var clustersFault: ArchiveError? { get }
    /// Whether vector tiles must be gzip, or must not be; nil if they may be either.
    var wantsGzip: Bool? { get }
    /// The size of its files together; nil if each tile is a file.
    var byteCount: Int? { get }

    // Each of these is a connection of its own, for one thread at a time.
    func tileFinder(cacheBytes: Int) throws(ArchiveError) -> any TileFinder
    func tileWalk(zooms: ClosedRange<Int>) throws(ArchiveError) -> any TileWalk
    /// A walk that is used for the numbers of tiles only, and may be faster.
    func tileNumberWalk(zooms: ClosedRange<Int>) throws(ArchiveError) -> any TileWalk
    /// A walk zoom by zoom along the Hilbert curve, if tiles are stored in that order.
    func curveWalk(zooms: ClosedRange<Int>) throws(ArchiveError) -> (any TileWalk)?
    /// A walk zoom by zoom, in an order that has tiles with the same contents in one group.
    func contentWalk(zooms: ClosedRange<Int>) throws(ArchiveError) -> any GroupWalk
    func clusters() throws(ArchiveError) -> any ClusterSource
    /// The source of the payloads of its clusters, if it has any.
    func clusterPayloads() throws(ArchiveError) -> (any ClusterPayloadSource)?

    /// The range of zooms that have tiles; nil if there are no tiles.
    func zooms() throws(ArchiveError) -> ClosedRange<Int>?
    /// The faults of the container itself, not of the contents of its tiles.
    func audit() throws(ArchiveError) -> ContainerAudit
    /// How many rows of tiles have numbers that name no tile.
    func strayRows() throws(ArchiveError) -> Int
}

extension ArchiveContents {
    public var clustersFault: ArchiveError? { nil }
    public var wantsGzip: Bool? { nil }
    public var isStale: Bool { false }
    public var holdsFiles: Bool { false }
    public func holdingFiles() throws(ArchiveError) -> Self { self }
    public var files: [String] { [] }
    public func openFile(_ index: Int) throws(FileError) -> File? { nil }
    public var byteCount: Int? { nil }
    public func strayRows() throws(ArchiveError) -> Int { 0 }

    public func tileNumberWalk(
        zooms: ClosedRange<Int>
    ) throws(ArchiveError) -> any TileWalk { try tileWalk(zooms: zooms) }

    public func curveWalk(zooms: ClosedRange<Int>) throws(ArchiveError) -> (any TileWalk)? { nil }

    public func contentWalk(zooms: ClosedRange<Int>) throws(ArchiveError) -> any GroupWalk {
        try tileWalk(zooms: zooms)
    }

    public func zooms() throws(ArchiveError) -> ClosedRange<Int>? {
        let walk = try tileNumberWalk(zooms: 0...31)
        guard let first = try walk.next() else { return nil }
        var last = first
        while let tile = try walk.next() { last = tile }
        return Int(first.z)...Int(last.z)
    }
}

/// How a container keeps its tiles.
public struct ArchiveLayout: Hashable, Sendable {
    /// The name in output for programs.
    public let name: String
    /// The name in output for people.
    public let words: String

    public init(name: String, words: String) {
        self.name = name
        self.words = words
    }
}

/// Finds tiles by their numbers.
public protocol TileFinder: AnyObject {
    /// Calls `body` with a tile's stored bytes; returns false if there is no tile.
    func withTile(
        at tile: TileID, _ body: (Span<UInt8>) -> Void
    ) throws(ArchiveError) -> Bool
    /// Keeps the archive from changing until this is released, if possible: for many look-ups.
    func holdStill() throws(ArchiveError)
}

extension TileFinder {
    public func holdStill() throws(ArchiveError) {}
}

/// Goes through tiles, with tiles of the same contents as one group.
public protocol GroupWalk: AnyObject {
    /// Goes to the next tiles and replaces `bytes` with their stored bytes; nil after the last.
    func nextGroup(_ bytes: inout [UInt8]) throws(ArchiveError) -> TileGroup?
}

/// Goes through tiles by zoom, column and TMS row, or in the order that was asked for. Its groups come in that
/// order, too.
public protocol TileWalk: GroupWalk {
    /// Goes to the next tile and replaces `bytes` with its stored bytes; nil after the last.
    func next(_ bytes: inout [UInt8]) throws(ArchiveError) -> TileID?
    /// Goes to the next tile without reading its bytes; nil after the last.
    func next() throws(ArchiveError) -> TileID?
}

extension TileWalk {
    public func next() throws(ArchiveError) -> TileID? {
        var bytes: [UInt8] = []
        return try next(&bytes)
    }

    public func nextGroup(_ bytes: inout [UInt8]) throws(ArchiveError) -> TileGroup? {
        try next(&bytes).map { TileGroup($0) }
    }
}

/// The data for queries about an archive's clusters.
public protocol ClusterSource {
    func finder() throws(ArchiveError) -> any ClusterFinder
    func rows() throws(ArchiveError) -> any ClusterWalk
    func leafBlocks() throws(ArchiveError) -> any LeafBlockWalk
    func ids() throws(ArchiveError) -> any IDWalk
}

extension ArchiveContents {
    public func clusterPayloads() throws(ArchiveError) -> (any ClusterPayloadSource)? { nil }

    public func clusters() throws(ArchiveError) -> any ClusterSource {
        guard let payloads = try clusterPayloads(),
            let description = try? metadata.clusterDescription?.get()
        else { throw clustersFault ?? .noClusters(path: metadata.name) }
        return PayloadClusters(source: payloads, description: description)
    }
}

/// Finds rows of the cluster index and leaf blocks.
public protocol ClusterFinder: AnyObject {
    /// The division of leaves into blocks.
    var table: LeafBlockTable { get }
    func row(_ search: ClusterSearch) throws(ArchiveError) -> ClusterRow?
    /// Clusters that include the one with an id, if there is one; nil if the id itself identifies the cluster.
    func candidates(for id: Int64) throws(ArchiveError) -> [ClusterRecord]?
    /// Calls `body` with a leaf block's stored bytes; returns false if there is no such block.
    func withLeafBlock(
        _ number: Int64, _ body: (Span<UInt8>) -> Void
    ) throws(ArchiveError) -> Bool
    /// The corners of the hull of a leaf block's points; nil if there is no such block, or no valid hull.
    func hull(ofLeafBlock number: Int64) throws(ArchiveError) -> [GridPoint]?
    /// The stored hull of a large cluster, if there is one.
    func outline(of key: ClusterKey) throws(ArchiveError) -> [GridPoint]?
    /// The stored boxes around the points of all blocks, if they are in one place.
    func blockBoxes() throws(ArchiveError) -> [GridBox]?
}

extension ArchiveContainer {
    public static var readsAddresses: Bool { false }
    public static func outputs(at path: String) -> [String] { [path] }
}

/// Defaults for containers that do not store these.
extension ClusterFinder {
    public func outline(of key: ClusterKey) throws(ArchiveError) -> [GridPoint]? { nil }
    public func blockBoxes() throws(ArchiveError) -> [GridBox]? { nil }
}

/// The row of the cluster index that is looked for.
public enum ClusterSearch: Hashable, Sendable {
    case exactly(ClusterKey)
    /// The first row with a packed key in this range.
    case first(Range<Int64>)
    /// The last row that does not come after the key.
    case upTo(ClusterKey)
}

/// A row of the cluster index.
public enum ClusterRow: Hashable, Sendable {
    case cluster(ClusterRecord)
    /// A row that cannot be a cluster, by its number.
    case damaged(Int64)
}

/// Goes through the rows of the cluster index by key.
public protocol ClusterWalk: AnyObject {
    func next() throws(ArchiveError) -> ClusterRow?
}

/// Goes through the leaf blocks by number.
public protocol LeafBlockWalk: AnyObject {
    /// Goes to the next block, and replaces `bytes` with its stored bytes and `hull` with its hull, which is nil if
    /// it is invalid.
    func next(_ bytes: inout [UInt8], hull: inout [GridPoint]?) throws(ArchiveError) -> Int64?
}

/// Goes through the index of ids in ascending order, some at a time.
public protocol IDWalk: AnyObject {
    /// The next ids, and the target of each: its block, or in format 3 its first leaf; nil after the last.
    func next() throws(ArchiveError) -> [(id: Int64, target: Int64)]?
}

/// The walk over ids that are not places.
final class NoIDs: IDWalk {
    func next() throws(ArchiveError) -> [(id: Int64, target: Int64)]? { nil }
}
