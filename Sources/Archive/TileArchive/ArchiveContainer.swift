import ArchiveContract
import Geometry

/// A kind of file or folder that holds an archive: what must be known to read one and to write one.
///
/// A new kind is one type that conforms to this, and one entry in `ArchiveContainers.all`; builds,
/// inspection, queries and the server then know it.
public protocol ArchiveContainer: ArchiveContents {
    /// What it is called.
    static var name: String { get }
    /// How the names of such files end, without the dot.
    static var endings: [String] { get }
    /// Whether a file that starts with these bytes may be one; there are none if it is a folder.
    static func mayStart(with bytes: [UInt8]) -> Bool

    /// Whether it reads archives on the web, by their addresses.
    static var readsAddresses: Bool { get }

    // MARK: Writing

    /// All files that an archive under a path may take the place of.
    static func outputs(at path: String) -> [String]

    /// Begins an archive under a path, and refuses before any work what could not be finished.
    static func sink(
        to path: String, options: SinkOptions
    ) throws(ArchiveError) -> any ArchiveSink

    /// Looks at an archive, and refuses what is none.
    init(path: String) throws(ArchiveError)
}

/// What can be read of an archive, whatever holds it: a container, or several of them taken for one.
public protocol ArchiveContents: Sendable {
    var metadata: ArchiveMetadata { get }
    /// How the tiles are kept.
    var layout: ArchiveLayout { get }
    /// What is odd about the archive without keeping it from being read.
    var warnings: [ArchiveWarning] { get }
    /// Whether the archive has Covey's cluster index and leaf blocks.
    var hasClusters: Bool { get }
    /// Whether it is known to have been replaced since it was opened, where no file's date tells.
    var isStale: Bool { get }
    /// The files that a client may be given range by range, as they are.
    var files: [String] { get }
    /// Why clusters that the archive tells of cannot be asked about.
    var clustersFault: ArchiveError? { get }
    /// Whether vector tiles must be gzip, or must not be; nil where they may be either.
    var wantsGzip: Bool? { get }
    /// How large its files are together; nil where each tile is one.
    var byteCount: Int? { get }

    // Each of these is a connection of its own, for one thread at a time.
    func tileFinder(cacheBytes: Int) throws(ArchiveError) -> any TileFinder
    func tileWalk(zooms: ClosedRange<Int>) throws(ArchiveError) -> any TileWalk
    /// A walk of which only numbers of tiles are asked, which may then be quicker.
    func tileNumberWalk(zooms: ClosedRange<Int>) throws(ArchiveError) -> any TileWalk
    /// A walk zoom by zoom along the Hilbert curve, where tiles are kept in that order.
    func curveWalk(zooms: ClosedRange<Int>) throws(ArchiveError) -> (any TileWalk)?
    /// A walk zoom by zoom in whichever order has tiles with the same contents in one group.
    func contentWalk(zooms: ClosedRange<Int>) throws(ArchiveError) -> any GroupWalk
    func clusters() throws(ArchiveError) -> any ClusterSource
    /// Where the payloads of its clusters lie, if it has such.
    func clusterPayloads() throws(ArchiveError) -> (any ClusterPayloadSource)?

    /// How many tiles and bytes each zoom has, shallowest first.
    func zoomSummaries() throws(ArchiveError) -> [ZoomSummary]
    /// What is wrong with the container itself, and not with what its tiles hold.
    func audit() throws(ArchiveError) -> ContainerAudit
}

extension ArchiveContents {
    public var clustersFault: ArchiveError? { nil }
    public var wantsGzip: Bool? { nil }
    public var isStale: Bool { false }
    public var files: [String] { [] }
    public var byteCount: Int? { nil }

    public func tileNumberWalk(
        zooms: ClosedRange<Int>
    ) throws(ArchiveError) -> any TileWalk { try tileWalk(zooms: zooms) }

    public func curveWalk(zooms: ClosedRange<Int>) throws(ArchiveError) -> (any TileWalk)? { nil }

    public func contentWalk(zooms: ClosedRange<Int>) throws(ArchiveError) -> any GroupWalk {
        try tileWalk(zooms: zooms)
    }
}

/// How a container keeps its tiles.
public struct ArchiveLayout: Hashable, Sendable {
    /// For programs.
    public let name: String
    /// For people.
    public let words: String

    public init(name: String, words: String) {
        self.name = name
        self.words = words
    }
}

/// Finds tiles by their numbers.
public protocol TileFinder: AnyObject {
    /// Gives a tile's stored bytes to `body`; false if there is none.
    func withTile(
        at tile: TileID, _ body: (Span<UInt8>) -> Void
    ) throws(ArchiveError) -> Bool
    /// Keeps the archive as it is until this goes away, where it can: for many look-ups.
    func holdStill() throws(ArchiveError)
}

extension TileFinder {
    public func holdStill() throws(ArchiveError) {}
}

/// Goes through tiles, those together that the archive gives the same contents.
public protocol GroupWalk: AnyObject {
    /// Goes to the next tiles and puts their stored bytes in place of others; nil behind the last.
    func nextGroup(_ bytes: inout [UInt8]) throws(ArchiveError) -> TileGroup?
    /// Entries passed over because their numbers name no tile.
    var strayCount: Int { get }
}

/// Goes through tiles by zoom, column and TMS row, or in the order that was asked for. In that order
/// its groups follow one another, too.
public protocol TileWalk: GroupWalk {
    /// Goes to the next tile and puts its stored bytes in place of others; nil behind the last.
    func next(_ bytes: inout [UInt8]) throws(ArchiveError) -> TileID?
    /// Goes to the next tile, whose bytes are not wanted; nil behind the last.
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

/// What answers questions about an archive's clusters.
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
    /// How leaves are cut into blocks.
    var table: LeafBlockTable { get }
    func row(_ search: ClusterSearch) throws(ArchiveError) -> ClusterRow?
    /// Clusters among which the one with an id is, if there is one; nil where an id says itself which it is.
    func candidates(for id: Int64) throws(ArchiveError) -> [ClusterRecord]?
    /// Gives a leaf block's stored bytes to `body`; false if there is none.
    func withLeafBlock(
        _ number: Int64, _ body: (Span<UInt8>) -> Void
    ) throws(ArchiveError) -> Bool
    /// The corners of the hull of a leaf block's points; nil if there is no such block, or no such hull.
    func hull(ofLeafBlock number: Int64) throws(ArchiveError) -> [GridPoint]?
    /// The hull of a large cluster, if it is kept.
    func outline(of key: ClusterKey) throws(ArchiveError) -> [GridPoint]?
    /// The boxes around the points of all blocks, if they are kept together.
    func blockBoxes() throws(ArchiveError) -> [GridBox]?
}

extension ArchiveContainer {
    public static var readsAddresses: Bool { false }
    public static func outputs(at path: String) -> [String] { [path] }
}

/// What a container keeps ready, and others work out.
extension ClusterFinder {
    public func outline(of key: ClusterKey) throws(ArchiveError) -> [GridPoint]? { nil }
    public func blockBoxes() throws(ArchiveError) -> [GridBox]? { nil }
}

/// Which row of the cluster index is looked for.
public enum ClusterSearch: Hashable, Sendable {
    case exactly(ClusterKey)
    /// The first whose packed key is among these.
    case first(Range<Int64>)
    /// The last that does not come after the key.
    case upTo(ClusterKey)
}

/// A row of the cluster index.
public enum ClusterRow: Hashable, Sendable {
    case cluster(ClusterRecord)
    /// No cluster can look like that; the number is the row's.
    case damaged(Int64)
}

/// Goes through the rows of the cluster index by key.
public protocol ClusterWalk: AnyObject {
    func next() throws(ArchiveError) -> ClusterRow?
}

/// Goes through the leaf blocks by number.
public protocol LeafBlockWalk: AnyObject {
    /// Goes to the next block and puts its stored bytes and its packed hull in place of others.
    func next(_ bytes: inout [UInt8], hull: inout [UInt8]) throws(ArchiveError) -> Int64?
}

/// Goes through the index of ids, ascending, some at a time.
public protocol IDWalk: AnyObject {
    /// The next ids, and what each leads to: its block, and in format 3 its first leaf; nil behind the last.
    func next() throws(ArchiveError) -> [(id: Int64, target: Int64)]?
}

/// The walk where ids are no places.
final class NoIDs: IDWalk {
    func next() throws(ArchiveError) -> [(id: Int64, target: Int64)]? { nil }
}
