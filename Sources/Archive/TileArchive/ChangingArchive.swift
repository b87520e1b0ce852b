import Geometry

/// An archive that is changed in place. It has none of the changes before `finish`, and all of them after it; a
/// folder, whose files change one after another, has some of them in between.
///
/// Only one thread at a time may use it. Dropping it unfinished leaves the archive unchanged.
public protocol ChangingArchive: AnyObject {
    /// Changes a tile.
    /// - Parameters:
    ///   - tile: the place of the tile.
    ///   - change: what happens to it.
    ///   - bytes: its new bytes; none if it is removed.
    func set(_ tile: TileID, _ change: TileChange, gzip bytes: Span<UInt8>) throws(ArchiveError)

    /// Replaces a payload for queries about clusters.
    /// - Parameters:
    ///   - payload: its new bytes.
    ///   - index: its number.
    func set(payload: Span<UInt8>, at index: Int) throws(ArchiveError)

    /// Replaces the metadata, and makes all changes visible to readers.
    /// - Parameters:
    ///   - metadata: the new metadata.
    ///   - payloads: the number of payloads; those after them are removed.
    func finish(_ metadata: ArchiveMetadata, payloads: Int) throws(ArchiveError)
}

/// What happens to a tile between one archive and another.
public enum TileChange: String, Sendable {
    case added, changed, removed
    /// Its bytes differ, but it draws the same.
    case repacked
}
