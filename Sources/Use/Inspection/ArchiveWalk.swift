import Basics
import Compression
import Geometry
import Pipelines
import TileArchive

/// Walks over all tiles of an archive with several threads, zoom by zoom. Tiles that share their
/// contents in the archive are visited once, as a group.
struct ArchiveWalk: Sendable {
    let archive: Archive
    var zooms: ClosedRange<Int> = 0...31
    var threads: Int
    /// Whether each tile is visited by itself, in the order of keys.
    var inKeyOrder = false
    /// Whether the archive's hash is needed too, which takes all zooms.
    var hashing = false

    /// Calls `visit` with each tile and its contents, and `consume` with the output of each batch.
    ///
    /// For a tile that cannot be inflated, the contents are the reason.
    func run<State, Output: Sendable>(
        state: @escaping @Sendable () -> State,
        output: @escaping @Sendable () -> Output,
        visit: @escaping @Sendable (inout State, inout Output, OpenedTile) throws -> Void,
        consume: (Output) throws -> Void
    ) throws -> TileFeed.Passage {
        let feed = try TileFeed(
            archive, zooms: zooms, inKeyOrder: inKeyOrder, hashing: hashing)
        let (path, whole) = (archive.path, archive.workBudget)
        var budget = whole
        try OrderedPipeline(threads: threads).run(
            next: { try feed.next() },
            share: { $0.share },
            state: { (TileOpener(), state()) },
            work: { worker, batch in
                var result = output()
                var (own, inflated, counted) = (whole, 0, 0)
                for entry in batch.entries {
                    let tile = worker.0.open(batch.bytes[entry.bytes], of: entry.group)
                    try own.take(bytes: tile.inflatedBytes, of: path)
                    inflated += tile.inflatedBytes
                    let size = max(tile.inflatedBytes, tile.storedBytes)
                    try own.count(bytes: size, times: tile.group.count, of: path)
                    counted += size * tile.group.count
                    try visit(&worker.1, &result, tile)
                }
                return (result, inflated, counted)
            },
            consume: { result, inflated, counted in
                try budget.take(bytes: inflated, of: path)
                try budget.count(bytes: counted, times: 1, of: path)
                try consume(result)
            })
        return feed.passage
    }
}

/// A tile that was taken out of its archive.
struct OpenedTile: Sendable {
    /// All tiles of the archive that have these contents.
    var group: TileGroup
    /// Its size in the archive.
    var storedBytes: Int
    var isGzip: Bool
    /// Whether the tile itself claims to be too large, so that it was not inflated.
    var isKnownTooLarge = false
    /// The inflated tile, or why it cannot be inflated; the stored bytes if they are not gzip.
    var contents: Result<ArraySlice<UInt8>, CompressionError>

    var id: TileID { group.first }

    /// The number of bytes that were inflated; for a tile that is too large, up to the limit.
    var inflatedBytes: Int {
        switch contents {
        case .success(let bytes): bytes.count
        case .failure(.tooLarge(let limit)): isKnownTooLarge ? 0 : limit
        case .failure: storedBytes
        }
    }

    /// The inflated tile.
    var inflated: ArraySlice<UInt8> {
        get throws(TileFault) {
            switch contents {
            case .success(let bytes): return bytes
            case .failure(let error): throw .compression(error)
            }
        }
    }
}

/// Inflates tiles, one after another.
final class TileOpener {
    private var inflater = GzipInflater()

    static let limit = TileLookup.largestTile

    /// The bytes are not copied if the tile is not gzip.
    func open(
        _ bytes: ArraySlice<UInt8>, of group: TileGroup = TileGroup(TileID(z: 0, x: 0, y: 0))
    ) -> OpenedTile {
        let stored = bytes.span
        let isGzip = GzipInflater.isGzip(stored)
        // If these bytes are not the trailer, the tile is damaged anyway.
        let isTooLarge = isGzip && GzipInflater.claimedSize(of: stored) ?? 0 > Self.limit
        let contents: Result<ArraySlice<UInt8>, CompressionError>
        if isTooLarge {
            contents = .failure(.tooLarge(limit: Self.limit))
        } else if isGzip {
            do throws(CompressionError) {
                contents = .success(try inflater.inflate(stored, limit: Self.limit)[...])
            } catch {
                contents = .failure(error)
            }
        } else {
            contents = .success(bytes)
        }
        return OpenedTile(
            group: group, storedBytes: stored.count, isGzip: isGzip,
            isKnownTooLarge: isTooLarge, contents: contents)
    }
}
