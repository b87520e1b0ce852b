#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file without a name that holds the bytes of a pipe; it is gone when nobody reads it any more.
final class SpoolFile {
    let name: String
    private(set) var count = 0
    private let descriptor: Int32

    init(in directory: String, named name: String) throws(InputError) {
        self.name = name
        var path = Array("\(directory)/covey-XXXXXX".utf8CString)
        descriptor = unsafe path.withUnsafeMutableBufferPointer { path in
            guard let start = path.baseAddress else { return -1 }
            let descriptor = unsafe mkstemp(start)
            if descriptor >= 0 { unsafe unlink(start) }
            return descriptor
        }
        guard descriptor >= 0 else { throw failure() }
    }

    func append(_ block: borrowing ByteBlock) throws(InputError) {
        var written = 0
        while written < block.count {
            let more = unsafe write(descriptor, block.base + written, block.count - written)
            if more < 0, errno == EINTR { continue }
            guard more > 0 else { throw failure() }
            written += more
        }
        count += block.count
    }

    private func failure() -> InputError {
        .readFailed(
            input: name, offset: count,
            reason: unsafe "no temporary copy: \(String(cString: strerror(errno)))")
    }

    /// The bytes from the start, for one reader of its own.
    func makeSource() -> any ByteSource { Source(self) }

    /// Reads at its own place, so that readers don't disturb each other.
    private final class Source: ByteSource {
        private let file: SpoolFile
        private var position = 0

        init(_ file: SpoolFile) { self.file = file }

        func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
            let count = unsafe pread(file.descriptor, buffer.baseAddress, buffer.count, position)
            guard count >= 0 else { throw file.failure() }
            position += count
            return count
        }
    }

    deinit { close(descriptor) }
}
