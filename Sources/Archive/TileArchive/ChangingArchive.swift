import Geometry

/// An archive that is changed where it lies. It has none of the changes before `finish`, and all once that is done; a folder,
/// whose files change one after another, has some of them meanwhile.
///
/// One thread at a time may use it. Dropping it unfinished leaves the archive as it was.
public protocol ChangingArchive: AnyObject {
    /// Makes a tile what it is to be.
    /// - Parameters:
    ///   - tile: where it lies.
    ///   - change: what becomes of it.
    ///   - bytes: what it has then; none where it is removed.
    func set(_ tile: TileID, _ change: TileChange, gzip bytes: Span<UInt8>) throws(ArchiveError)

    /// Makes a payload of what answers questions about clusters what it is to be.
    /// - Parameters:
    ///   - payload: its bytes.
    ///   - index: its number.
    func set(payload: Span<UInt8>, at index: Int) throws(ArchiveError)

    /// Replaces the metadata, and gives all changes to readers.
    /// - Parameters:
    ///   - metadata: what the archive says of itself now.
    ///   - payloads: how many payloads there are; those behind them go.
    func finish(_ metadata: ArchiveMetadata, payloads: Int) throws(ArchiveError)
}

/// What becomes of a tile on the way from one archive to another.
public enum TileChange: String, Sendable {
    case added, changed, removed
    /// Its bytes are others, but it draws the same.
    case repacked
}
