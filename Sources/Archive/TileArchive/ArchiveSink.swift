import ArchiveContract
import Geometry

/// Where the payloads go that answer questions about clusters (`ClusterWriter`), one after another.
public protocol PayloadSink: AnyObject {
    func write(payload: Span<UInt8>) throws(ArchiveError)
}

/// Where a build puts an archive, whatever the container: it appears under its name when `finish`
/// is done, or not at all. Dropping a sink unfinished leaves nothing behind.
///
/// One thread at a time may use it.
public protocol ArchiveSink: PayloadSink {
    /// The order in which the tiles of a zoom should come, shallow zooms first.
    var tileOrder: TileOrder { get }
    /// Whether vector tiles that are not gzip have to be packed before they come.
    var wantsGzip: Bool { get }

    /// Adds tiles, whose bytes lie one behind another up to their `ends`, and are kept as they are:
    /// gzip, for vector tiles.
    func write(
        _ tiles: [TileID], gzip bytes: Span<UInt8>, ends: [Int]
    ) throws(ArchiveError)

    /// Adds tiles that all have the same bytes. It is asked for in the order of the curve alone.
    func write(_ run: TileRun, gzip bytes: Span<UInt8>) throws(ArchiveError)

    /// Changes the archive that there is where it lies, and writes no other; nil where that can't be, and this goes on.
    /// - Parameter tileBytes: what all tiles are to have.
    func changing(tileBytes: Int) throws(ArchiveError) -> (any ChangingArchive)?

    /// Adds the metadata, completes the archive and gives it its name.
    func finish(_ metadata: ArchiveMetadata) throws(ArchiveError)
}

extension ArchiveSink {
    public var wantsGzip: Bool { true }

    public func changing(
        tileBytes: Int
    ) throws(ArchiveError) -> (any ChangingArchive)? { nil }

    public func write(_ run: TileRun, gzip bytes: Span<UInt8>) throws(ArchiveError) {
        for distance in run.distances {
            try write([run.tile(at: distance)], gzip: bytes, ends: [bytes.count])
        }
    }
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
    /// The format of the tiles, as MBTiles names formats.
    public var format = "pbf"
    /// Looks at the archive, which is complete, before it gets its name; false gives it up.
    public var willPublish: (@Sendable (_ temporaryPath: String) -> Bool)?
    /// Whether contents that come again may be kept once, where the container can. A build's never do, but for a handful:
    /// so its bytes do not depend on what is far away.
    public var sharesContents = true
    /// Whether MBTiles and folders say a hash over all tiles, which could not be kept up where they are changed in place.
    public var hashesTiles = true
    /// How a folder is made, where the archive is one.
    public var folder = FolderOptions()

    public init() {}

    /// Has a complete archive looked at.
    func show(_ temporaryPath: String, path: String) throws(ArchiveError) {
        guard willPublish?(temporaryPath) ?? true else { throw .cancelled(path: path) }
    }
}
