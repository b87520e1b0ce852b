/// An archive whose bytes come in any order, once it is known where each lies.
///
/// One thread at a time may use it.
public protocol LaidArchive: AnyObject {
    /// Writes bytes of one of its files where they belong.
    /// - Parameters:
    ///   - bytes: what is written.
    ///   - offset: where they begin in the file.
    ///   - file: 0 for the tiles, 1 for the clusters beside them.
    func write(_ bytes: Span<UInt8>, at offset: Int, ofFile file: Int) throws(ArchiveError)

    /// Gives the files their names: all bytes are there.
    func finish() throws(ArchiveError)
}
