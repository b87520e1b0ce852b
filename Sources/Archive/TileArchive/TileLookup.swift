import Basics
import Compression
import Geometry

/// A connection that looks up tiles; it may move between threads, but only one may use it at a time.
public struct TileLookup: ~Copyable {
    /// More bytes than any tile that a map can draw has, inflated, and few enough to do no harm.
    package static let largestTile = 32 << 20
    /// More bytes than any stored tile or block of points has.
    package static let largestStored = 16 << 20

    private let finder: any TileFinder
    private var inflater = GzipInflater()
    private let path: String

    init(_ finder: any TileFinder, path: String) {
        self.finder = finder
        self.path = path
    }

    /// Keeps the archive from changing until this is released, if the container can: many look-ups then cost
    /// less, and see one state. Other programs that want to write to it have to wait.
    public mutating func holdStill() throws(ArchiveError) { try finder.holdStill() }

    /// The tile's bytes as they are stored: gzip, for vector tiles; nil if there is no tile.
    public mutating func tile(at id: TileID) throws(ArchiveError) -> [UInt8]? {
        try withTile(at: id) { $0.copied }
    }

    /// The tile's contents, inflated if they are gzip, and at most `limit` bytes.
    public mutating func inflatedTile(
        at id: TileID, limit: Int
    ) throws(ArchiveError) -> [UInt8]? {
        let found = try withTile(at: id) { stored in
            GzipInflater.isGzip(stored) || stored.count <= limit ? stored.copied : nil
        }
        guard let found else { return nil }
        do throws(CompressionError) {
            guard let stored = found else { throw .tooLarge(limit: limit) }
            guard GzipInflater.isGzip(stored.span) else { return stored }
            return try inflater.inflate(stored.span, limit: limit)
        } catch {
            throw .damagedTile(path: path, id, error)
        }
    }

    /// Calls `body` with the tile's stored bytes, without copying them; nil if there is no tile.
    public mutating func withTile<R>(
        at id: TileID, _ body: (Span<UInt8>) -> R
    ) throws(ArchiveError) -> R? {
        var result: R?
        _ = try finder.withTile(at: id) { result = body($0) }
        return result
    }
}

// It owns its finder alone, and every use that moves it is exclusive.
extension TileLookup: @unchecked Sendable {}
