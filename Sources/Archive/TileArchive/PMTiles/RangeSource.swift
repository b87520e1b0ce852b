import Platform

/// The source of the bytes of an archive; any number of threads may use it.
protocol RangeSource: Sendable {
    /// The name of the source in messages.
    var path: String { get }
    var byteCount: Int { get }
    /// Whether it is known to have been replaced since it was opened.
    var isStale: Bool { get }

    /// The file itself; nil if it is not on this machine.
    func openFile() throws(FileError) -> File?

    /// The bytes of a range, which must be within `byteCount`.
    func bytes(_ range: Range<Int>) throws(ArchiveError) -> [UInt8]
}

extension RangeSource {
    var isStale: Bool { false }
    func openFile() throws(FileError) -> File? { nil }
}

/// A file on this machine.
///
/// It is read and not mapped: the system caches its pages all the same, and if another program truncates the
/// file, a read fails, while a map would end the process.
final class FileSource: RangeSource {
    let path: String
    let byteCount: Int
    let file: File

    init(path: String) throws(ArchiveError) {
        self.path = path
        do {
            file = try File(readingRegular: path)
            byteCount = try file.status().size
        } catch {
            throw .unreadable(path: path, reason: error.description)
        }
    }

    func openFile() throws(FileError) -> File? { try file.duplicate() }

    func bytes(_ range: Range<Int>) throws(ArchiveError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try file.bytes(range)
        } catch {
            throw .unreadable(path: path, reason: error.description)
        }
        guard bytes.count == range.count else {
            throw .truncated(path: path, bytes: range.lowerBound + bytes.count, expected: byteCount)
        }
        return bytes
    }
}
