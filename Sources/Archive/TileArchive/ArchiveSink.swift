import ArchiveContract
import Geometry

/// Takes the payloads for queries about clusters (`ClusterWriter`), one after another.
public protocol PayloadSink: AnyObject {
    /// Adds the next payload.
    /// - Parameters:
    ///   - payload: its bytes.
    ///   - sum: their MD5, in hexadecimal capitals.
    func write(payload: Span<UInt8>, sum: String) throws(ArchiveError)
}

/// Writes the archive of a build, whatever the container: it appears under its name when `finish` is done, or not
/// at all. Dropping a sink unfinished leaves nothing behind.
///
/// Only one thread at a time may use it.
public protocol ArchiveSink: PayloadSink {
    /// The order in which the tiles of a zoom should come, shallow zooms first.
    var tileOrder: TileOrder { get }
    /// Whether vector tiles that are not gzip have to be compressed first.
    var wantsGzip: Bool { get }

    /// Adds a tile whose bytes are stored unchanged: gzip, for vector tiles.
    func write(_ tile: TileID, gzip bytes: Span<UInt8>) throws(ArchiveError)

    /// Adds tiles that all have the same bytes. It is only called in the order of the curve.
    func write(_ run: TileRun, gzip bytes: Span<UInt8>) throws(ArchiveError)

    /// Changes the existing archive in place instead of writing another; nil if that is impossible, and writing
    /// goes on.
    /// - Parameter tileBytes: the size of all tiles together after the changes.
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
        for distance in run.distances { try write(run.tile(at: distance), gzip: bytes) }
    }

    /// Adds tiles, whose bytes are one after another, up to their `ends`.
    public func write(
        _ tiles: [TileID], gzip bytes: Span<UInt8>, ends: [Int]
    ) throws(ArchiveError) {
        var start = 0
        for (tile, end) in zip(tiles, ends) {
            try write(tile, gzip: bytes.extracting(start..<end))
            start = end
        }
    }
}

/// The order in which the tiles of one zoom come.
public enum TileOrder: Sendable {
    /// As a build makes them: neighbours one after another.
    case alongHilbertCurve
    /// By column, then by TMS row: the order of an MBTiles archive's index.
    case byColumn
}

/// How an archive is written.
public struct SinkOptions: Sendable {
    /// Whether an existing archive of that name may be replaced.
    public var replacesExisting = false
    /// Called now and then during long steps; true stops the work.
    public var isCancelled: (@Sendable () -> Bool)?
    /// The format of the tiles, as MBTiles names formats.
    public var format = "pbf"
    /// Checks the complete archive before it gets its name; false stops the work.
    public var willPublish: (@Sendable (_ temporaryPath: String) -> Bool)?
    /// Whether repeated contents may be stored once, if the container can. Builds turn this off: all but a handful
    /// of their contents are unique, and so their bytes do not depend on what is far away.
    public var sharesContents = true
    /// Whether the archive may be changed in place later, if it is a database or a folder. Then it states no hash over all
    /// tiles, which could not be kept up to date.
    public var mayChange = false
    /// How a folder is made, if the archive is one.
    public var folder = FolderOptions()

    public init() {}

    /// Has a complete archive checked.
    func show(_ temporaryPath: String, path: String) throws(ArchiveError) {
        guard willPublish?(temporaryPath) ?? true else { throw .cancelled(path: path) }
    }
}
