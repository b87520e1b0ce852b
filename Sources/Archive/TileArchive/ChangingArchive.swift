import Geometry

/// An archive that is changed in place. It has none of the changes before `finish`, and all of them after it; a
/// folder, whose files change one after another, has some of them in between.
///
/// Only one thread at a time may use it. Dropping it unfinished leaves the archive unchanged.
///
/// Payloads for queries about clusters are given anew, one after another: those that the archive has are kept.
public protocol ChangingArchive: PayloadSink {
    /// Changes a tile.
    /// - Parameters:
    ///   - tile: the place of the tile.
    ///   - change: what happens to it.
    ///   - bytes: its new bytes; none if it is removed.
    func set(_ tile: TileID, _ change: TileChange, gzip bytes: Span<UInt8>) throws(ArchiveError)

    /// Makes a payload of the archive the next one.
    /// - Parameter former: its number before the changes.
    /// - Returns: false if its bytes have to be written instead.
    func keep(payload former: Int) -> Bool

    /// Removes payloads that were not kept, replaces the metadata, and makes all changes visible to readers.
    func finish(_ metadata: ArchiveMetadata) throws(ArchiveError)
}

/// What happens to a tile between one archive and another.
public enum TileChange: String, Sendable {
    case added, changed, removed
    /// Its bytes differ, but it draws the same.
    case repacked
}
