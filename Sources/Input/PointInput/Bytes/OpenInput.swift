import Compression

/// An open input: its name, its first bytes and its byte stream.
///
/// Readers of byte streams (GeoJSON, CSV) call `read`; readers that need a file (databases, indexed
/// formats) use `path`, which is nil if the bytes come from a pipe or from gzip.
///
/// Only one thread at a time may read; `PieceReading` ensures it with a lock.
public final class OpenInput: ByteStream, @unchecked Sendable {
    public let name: String
    /// The path of the file, if it contains the same bytes as `read` returns.
    public let path: String?
    /// The first bytes, up to `longestStart`; `read` returns them again.
    public let start: [UInt8]
    /// The number of bytes, if known.
    public let size: Int?

    static let longestStart = 1 << 16

    private let source: any ByteStream
    private var offset = 0
    /// Opens the same input again, if possible.
    private let reopen: (() throws(InputError) -> OpenInput)?

    /// The name by which GDAL opens it, if it is a file in a zip archive.
    let nameOfGDAL: String?

    /// Whether it is not a file, but a name that GDAL understands.
    var isNameOfGDAL: Bool { path.map(GDALSource.isName) ?? false }

    /// The download of parts, if the bytes are only available that way.
    let download: PartialDownload?

    /// Whether `again` can read it from its start.
    var isRepeatable: Bool { reopen != nil }

    /// Opens a source; gzip is decompressed while reading.
    static func open(
        _ source: PointSource, isCancelled: @escaping @Sendable () -> Bool = { false },
        progress: @escaping @Sendable (InputProgress) -> Void
    ) throws(InputError) -> OpenInput {
        if let path = source.path, GDALSource.isName(path) {
            return try OpenInput(MemoryStream([]), name: source.name, path: path)
        }
        if let member = try member(of: source, startingWith: nil) { return member }
        let file = try FileStream(source, isCancelled: isCancelled)
        let size = file.size
        file.onProgress = { bytes in
            progress(InputProgress(input: source.name, bytes: bytes, total: size))
        }
        let reopen = { () throws(InputError) in
            try open(source, isCancelled: isCancelled, progress: progress)
        }
        let canReopen = size != nil && source.path != nil
        let input = try OpenInput(
            file, name: source.name, path: source.path, size: size,
            reopen: canReopen ? reopen : nil)
        if input.start.starts(with: ZipDirectory.signature),
            let member = try member(of: source, startingWith: input.start)
        {
            return member
        }
        guard let contents = try input.unpacked(isCancelled) else { return input }
        return try OpenInput(contents, name: source.name, reopen: canReopen ? reopen : nil)
    }

    /// The decompressed contents as a stream; nil if the input is not compressed.
    private func unpacked(
        _ isCancelled: @escaping @Sendable () -> Bool
    ) throws(InputError) -> (any ByteStream)? {
        let start = start
        if start.starts(with: [0x1F, 0x8B]) {
            return UnpackedStream(self, InflateStream(format: .gzip), name: name, format: "gzip")
        }
        if ZstandardStream.recognises(start.span) {
            return UnpackedStream(self, ZstandardStream(), name: name, format: "zstd")
        }
        guard let path, case .packed(let program)? = ForeignInput(knownBy: start.span) else {
            return nil
        }
        return try ProgramStream(
            program, ["-dc", "--", path], package: program == "xz" ? "xz-utils" : program,
            name: name, isCancelled: isCancelled)
    }

    /// A file in a zip archive, if the source's name includes it (`a.zip/b.csv`) or it is the only
    /// one with points; nil if the source is no archive of files.
    private static func member(
        of source: PointSource, startingWith start: [UInt8]?
    ) throws(InputError) -> OpenInput? {
        guard let path = source.path,
            let choice = try ZipDirectory.choice(
                of: path, startingWith: start, input: source.name)
        else { return nil }
        let isWhole = start == nil || choice.name.isEmpty
        let name = isWhole ? source.name : "\(source.name)/\(choice.name)"
        let reopen = { () throws(InputError) -> OpenInput in
            let contents = try OpenInput(
                ZipMemberStream.contents(of: choice.member, in: choice.archive, named: name),
                name: name, nameOfGDAL: choice.nameOfGDAL)
            guard let unpacked = try contents.unpacked({ false }) else { return contents }
            return try OpenInput(unpacked, name: name)
        }
        let first = try reopen()
        return try OpenInput(first, name: name, nameOfGDAL: first.nameOfGDAL, reopen: reopen)
    }

    /// A file on the web in a format that needs only parts of it; nil if it must be downloaded as a
    /// whole.
    static func open(
        partly url: String, _ options: InputOptions,
        progress: @escaping @Sendable (InputProgress) -> Void
    ) throws(InputError) -> OpenInput? {
        let path = url.prefix { !"?#".contains($0) }.lowercased()
        guard options.format ?? .parquet == .parquet,
            ParquetReader.fileExtensions.contains(where: { path.hasSuffix("." + $0) }),
            let download = try PartialDownload(
                of: url, in: options.temporaryDirectory, isCancelled: options.isCancelled,
                progress: progress)
        else { return nil }
        let start = download.start
        guard ParquetReader.recognises(start.span) else { return nil }
        return try OpenInput(
            MemoryStream(download.start), name: download.name, size: download.size,
            download: download)
    }

    /// An input of bytes in memory.
    convenience init(bytes: [UInt8], name: String) throws(InputError) {
        try self.init(MemoryStream(bytes), name: name, size: bytes.count) { () throws(InputError) in
            try OpenInput(bytes: bytes, name: name)
        }
    }

    init(
        _ source: any ByteStream, name: String, path: String? = nil, size: Int? = nil,
        download: PartialDownload? = nil, nameOfGDAL: String? = nil,
        reopen: (() throws(InputError) -> OpenInput)? = nil
    ) throws(InputError) {
        self.source = source
        self.name = name
        self.path = path
        self.download = download
        self.nameOfGDAL = nameOfGDAL
        self.size = size
        self.reopen = reopen
        var start = [UInt8](repeating: 0, count: Self.longestStart)
        var count = 0
        while count < start.count {
            let more = try source.fill(&start, from: count)
            if more == 0 { break }
            count += more
        }
        start.removeSubrange(count...)
        self.start = start
    }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
        guard offset >= start.count else {
            let count = min(buffer.count, start.count - offset)
            unsafe start.withUnsafeBytes { start in
                unsafe buffer.copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: start[offset..<offset + count]))
            }
            offset += count
            return count
        }
        return try unsafe source.fill(buffer)
    }
}

extension OpenInput {
    /// An input with the same bytes that `again` can read: itself, or a copy of a pipe's bytes in
    /// an unnamed file in `directory`.
    func repeatable(in directory: String) throws(InputError) -> OpenInput {
        isRepeatable ? self : try SpoolFile(self, in: directory).opened()
    }

    /// Calls `body` with the path of a file with the input's bytes: its own, or a copy of a pipe's bytes
    /// in `directory`.
    func withPath(
        in directory: String, _ body: (String) throws(InputError) -> Void
    ) throws(InputError) {
        if let path { return try body(path) }
        var copy = try InputCopy(in: directory, of: name)
        try copy.append(contentsOf: self)
        try body(copy.path)
        extendLifetime(copy)
    }

    /// The same input from its start. Requires a repeatable input.
    func again() throws(InputError) -> OpenInput {
        guard let reopen else { preconditionFailure("this input can be read only once") }
        return try reopen()
    }
}

/// A source of bytes in order.
protocol ByteStream: AnyObject {
    /// Fills the buffer with bytes, waiting at most once; 0 at the end.
    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(InputError) -> Int
}

extension ByteStream {
    /// Fills the array from an index on, waiting at most once; 0 at the end.
    func fill(_ bytes: inout [UInt8], from start: Int) throws(InputError) -> Int {
        try unsafe bytes.withUnsafeMutableBufferPointer { bytes throws(InputError) in
            let room = unsafe UnsafeMutableBufferPointer(rebasing: bytes[start...])
            return try unsafe fill(UnsafeMutableRawBufferPointer(room))
        }
    }
}
