/// An input that is open for reading: its name, its first bytes, its byte stream.
///
/// Readers of byte streams (GeoJSON, CSV, GPX) call `read`; readers that need a file (databases,
/// indexed formats) ask for `path`, which is nil where the bytes come from a pipe or out of gzip.
public final class OpenInput {
    public let name: String
    /// The file itself, where reading it directly gives the bytes that `read` gives.
    public let path: String?
    /// The first bytes, up to 64 KiB, which `read` gives again.
    public let start: [UInt8]
    /// How many bytes there are, if that is known.
    public let size: Int?

    private let source: any ByteSource
    private var position = 0

    /// Opens a source; what is gzip is inflated on the way.
    convenience init(
        _ source: PointSource, progress: @escaping @Sendable (InputProgress) -> Void
    ) throws(InputError) {
        let file = try FileSource(source)
        let size = file.size
        file.onProgress = { bytes in
            progress(InputProgress(input: source.name, bytes: bytes, total: size))
        }
        try self.init(file, name: source.name, path: source.path, size: size)
    }

    init(_ source: any ByteSource, name: String, path: String?, size: Int?) throws(InputError) {
        self.source = source
        self.name = name
        self.path = path
        self.size = size
        var start = [UInt8](repeating: 0, count: 1 << 16)
        var count = 0
        while count < start.count {
            let more = try unsafe start.withUnsafeMutableBufferPointer { bytes throws(InputError) in
                try unsafe source.fill(
                    UnsafeMutableRawBufferPointer(
                        UnsafeMutableBufferPointer(rebasing: bytes[count...])))
            }
            if more == 0 { break }
            count += more
        }
        start.removeSubrange(count...)
        self.start = start
    }

    /// Fills the buffer with the next bytes; 0 says that there are no more.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
        guard position >= start.count else {
            let count = min(buffer.count, start.count - position)
            unsafe start.withUnsafeBytes { start in
                unsafe buffer.copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: start[position..<position + count]))
            }
            position += count
            return count
        }
        return try unsafe source.fill(buffer)
    }
}

/// Something that gives bytes in order.
protocol ByteSource: AnyObject {
    /// Fills the buffer as far as it can without waiting twice; 0 says that there are no more.
    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(InputError) -> Int
}
