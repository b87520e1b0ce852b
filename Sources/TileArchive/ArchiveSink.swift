import ArchiveContract
import Geometry

/// Where a build puts an archive, whatever the container: it appears under its name when `finish`
/// is done, or not at all. Dropping a sink unfinished leaves nothing behind.
///
/// One thread at a time may use it.
public protocol ArchiveSink: AnyObject {
    /// The order in which the tiles of a zoom should come, shallow zooms first.
    var tileOrder: TileOrder { get }

    /// Says about how many bytes will come, before the first of them.
    func expect(bytes: Int)

    /// Adds tiles, whose bytes lie one behind another up to their `ends`, and are kept as they are:
    /// gzip, for vector tiles.
    func write(
        _ tiles: [TileID], gzip bytes: Span<UInt8>, ends: [Int]
    ) throws(ArchiveError)

    /// Adds a block of points, by ascending number: a gzip tile, and its points' hull.
    func write(
        leafBlock number: Int64, gzip bytes: Span<UInt8>, hull: [GridPoint]
    ) throws(ArchiveError)

    /// Adds rows to the cluster index, by ascending key.
    func write(_ clusters: [ClusterRecord]) throws(ArchiveError)

    /// Adds the metadata, completes the archive and gives it its name.
    func finish(_ metadata: ArchiveMetadata) throws(ArchiveError)
}

/// In which order the tiles of one zoom come.
public enum TileOrder: Sendable {
    /// As a build makes them: neighbours one after another.
    case alongHilbertCurve
    /// By column, and within one by TMS row: the order of an MBTiles archive's index.
    case byColumn
}

/// How an archive is written.
public struct SinkOptions: Sendable {
    /// Whether an archive of that name may be replaced.
    public var replacesExisting = false
    /// Asked now and then during long steps; true gives up.
    public var isCancelled: (@Sendable () -> Bool)?

    public init() {}
}
