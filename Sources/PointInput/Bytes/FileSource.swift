import CLibrary

/// The bytes of a file or a pipe, read in order.
final class FileSource: ByteSource {
    private let descriptor: Int32
    private let name: String
    private var offset = 0
    /// Called with the number of bytes read so far.
    var onProgress: (Int) -> Void = { _ in }
    /// Size and time of the last change, of a regular file, when it was opened.
    private var stamp: Stamp?

    private struct Stamp: Equatable {
        var size: Int
        var seconds: Int
        var nanoseconds: Int

        init(_ status: stat) {
            #if canImport(Darwin)
                let time = status.st_mtimespec
            #else
                let time = status.st_mtim
            #endif
            size = Int(status.st_size)
            seconds = time.tv_sec
            nanoseconds = time.tv_nsec
        }
    }

    /// The size of a regular file.
    var size: Int? { stamp?.size }

    init(_ source: PointSource) throws(InputError) {
        name = source.name
        if let path = source.path {
            descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        } else {
            descriptor = dup(STDIN_FILENO)
        }
        guard descriptor >= 0 else { throw .cannotOpen(input: name, reason: Self.reason()) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw .cannotOpen(input: name, reason: Self.reason())
        }
        let kind = status.st_mode & S_IFMT
        guard kind != S_IFDIR else { throw .isDirectory(input: name) }
        stamp = kind == S_IFREG ? Stamp(status) : nil
    }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
        guard buffer.count > 0 else { return 0 }
        while true {
            let count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw .readFailed(input: name, offset: offset, reason: Self.reason())
            }
            offset += count
            onProgress(offset)
            if count == 0 { try checkUnchanged() }
            return count
        }
    }

    /// At the end of a regular file it must still be what it was when it was opened.
    private func checkUnchanged() throws(InputError) {
        guard let stamp else { return }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, Stamp(status) == stamp else {
            throw .changedWhileRead(input: name)
        }
    }

    private static func reason() -> String { unsafe String(cString: strerror(errno)) }

    deinit { close(descriptor) }
}
