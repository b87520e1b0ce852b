import Basics
import Platform

/// The tile data of a PMTiles file while they are written: contents one after another, from the offset that tile
/// data have in every file written here.
struct TileData: ~Copyable {
    private let file: File
    private let path: String
    private var buffer: [UInt8] = []
    /// The bytes of the data that are in the file already, before those in the buffer.
    private var flushed = 0
    /// How many of those are on their way to the disk.
    private var begun = 0

    static let start = PMTilesHeader.frontBytes
    private static let bufferBytes = 1 << 20
    /// How many bytes at a time go to the disk while the next are made.
    private static let behindBytes = 8 << 20

    init(in file: consuming File, path: String) {
        self.file = file
        self.path = path
        buffer.reserveCapacity(Self.bufferBytes)
    }

    var byteCount: Int { flushed + buffer.count }

    mutating func append(_ bytes: Span<UInt8>) throws(ArchiveError) {
        if buffer.count + bytes.count > Self.bufferBytes { try flush() }
        if bytes.count > Self.bufferBytes {
            try write(bytes, at: Self.start + flushed)
            flushed += bytes.count
        } else {
            unsafe bytes.withUnsafeBufferPointer { unsafe buffer.append(contentsOf: $0) }
        }
    }

    mutating func flush() throws(ArchiveError) {
        try write(buffer.span, at: Self.start + flushed)
        flushed += buffer.count
        buffer.removeAll(keepingCapacity: true)
        if flushed - begun >= Self.behindBytes {
            file.beginSynchronizing(Self.start + begun..<Self.start + flushed)
            begun = flushed
        }
    }

    /// Writes bytes anywhere, and starts bringing them to the disk.
    func lay(_ bytes: Span<UInt8>, at offset: Int) throws(ArchiveError) {
        try write(bytes, at: offset)
        file.beginSynchronizing(offset..<offset + bytes.count)
    }

    func write(_ bytes: Span<UInt8>, at offset: Int) throws(ArchiveError) {
        do {
            try file.write(bytes, at: offset)
        } catch {
            throw ArchiveError(writing: path, error)
        }
    }

    /// Whether these bytes are at that offset of the data.
    func holds(_ bytes: Span<UInt8>, at offset: Int) throws(ArchiveError) -> Bool {
        if offset >= flushed {
            let start = offset - flushed
            return bytes.holdsSame(as: buffer.span.extracting(start..<start + bytes.count))
        }
        let stored: [UInt8]
        do {
            let start = Self.start + offset
            stored = try file.bytes(start..<start + bytes.count)
        } catch {
            throw ArchiveError(writing: path, error)
        }
        return bytes.holdsSame(as: stored)
    }
}
