import Platform

/// The bytes of a file or a pipe, read in order.
final class FileStream: ByteStream {
    private let file: File
    private let name: String
    private var offset = 0
    /// Called with the number of bytes read so far.
    var onProgress: (Int) -> Void = { _ in }
    /// The status of a regular file when it was opened.
    private let status: FileStatus?
    private let isCancelled: @Sendable () -> Bool

    /// The size of a regular file.
    var size: Int? { status?.size }

    init(
        _ source: PointSource, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(InputError) {
        name = source.name
        self.isCancelled = isCancelled
        let status: FileStatus
        do throws(FileError) {
            if let path = source.path {
                file = try File(reading: path)
            } else {
                file = try File.standardInput()
            }
            status = try file.status()
        } catch {
            throw .cannotOpen(input: source.name, reason: error.description)
        }
        guard status.kind != .directory else { throw .isDirectory(input: source.name) }
        self.status = status.isRegular ? status : nil
    }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
        guard buffer.count > 0 else { return 0 }
        // The writer of a pipe may take any time, and a cancellation must be noticed meanwhile.
        repeat { if isCancelled() { throw .cancelled(input: name) } } while try !isReadable()
        let count: Int
        do throws(FileError) { count = try unsafe file.read(into: buffer) } catch {
            throw failure(error)
        }
        offset += count
        onProgress(offset)
        if count == 0 { try checkUnchanged() }
        return count
    }

    private func isReadable() throws(InputError) -> Bool {
        guard status == nil else { return true }
        do throws(FileError) { return try file.waitUntilReadable(milliseconds: 100) } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: FileError) -> InputError {
        .readFailed(input: name, offset: offset, reason: error.description)
    }

    /// Checks at the end that a regular file is unchanged since it was opened.
    private func checkUnchanged() throws(InputError) {
        guard let status else { return }
        guard (try? file.status()) == status else { throw .changedWhileRead(input: name) }
    }
}
