/// An archive whose bytes come in any order, once the place of each is known.
///
/// Only one thread at a time may use it.
public protocol LaidArchive: AnyObject {
    /// Writes bytes of one of its files in their place.
    /// - Parameters:
    ///   - bytes: the bytes to write.
    ///   - offset: their offset in the file.
    ///   - file: 0 for the tiles, 1 for the clusters beside them.
    func write(_ bytes: Span<UInt8>, at offset: Int, ofFile file: Int) throws(ArchiveError)

    /// Gives the files their names, once all bytes are written.
    func finish() throws(ArchiveError)
}
