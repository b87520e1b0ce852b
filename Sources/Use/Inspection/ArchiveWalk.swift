import Compression
import Geometry
import Pipelines
import TileArchive

/// Goes through all tiles of an archive with several threads, in key order.
struct ArchiveWalk: Sendable {
    let archive: Archive
    var zooms: ClosedRange<Int> = 0...31
    var threads: Int
    /// Whether the archive's hash is wanted too; it needs all zooms.
    var hashing = false

    /// Hands each tile with its contents to `visit`, and what came of each batch to `consume`.
    ///
    /// `visit` gets nil with the reason for a tile that cannot be inflated.
    func run<State, Output: Sendable>(
        state: @escaping @Sendable () -> State,
        output: @escaping @Sendable () -> Output,
        visit: @escaping @Sendable (inout State, inout Output, OpenedTile) throws -> Void,
        consume: (Output) throws -> Void
    ) throws -> TileFeed.Passage {
        let feed = try TileFeed(archive, zooms: zooms, hashing: hashing)
        let (path, whole) = (archive.path, archive.workBudget)
        var budget = whole
        try OrderedPipeline(threads: threads).run(
            next: { try feed.next() },
            state: { (TileOpener(), state()) },
            work: { worker, batch in
                var result = output()
                var (own, inflated) = (whole, 0)
                for entry in batch.entries {
                    let stored = batch.bytes.span.extracting(entry.bytes)
                    let tile = worker.0.open(entry.tile, stored)
                    try own.take(bytes: tile.inflatedBytes, of: path)
                    inflated += tile.inflatedBytes
                    try visit(&worker.1, &result, tile)
                }
                return (result, inflated)
            },
            consume: { result, inflated in
                try budget.take(bytes: inflated, of: path)
                try consume(result)
            })
        return feed.passage
    }
}

/// A tile taken out of its archive.
struct OpenedTile: Sendable {
    var id: TileID
    /// How many bytes it takes in the archive.
    var storedBytes: Int
    var isGzip: Bool
    /// The tile itself, or why it cannot be inflated.
    var contents: Result<[UInt8], CompressionError>

    /// How many bytes were made of it; of a bomb, as many as were looked at.
    var inflatedBytes: Int {
        switch contents {
        case .success(let bytes): bytes.count
        case .failure(.tooLarge(let limit)): limit
        case .failure: storedBytes
        }
    }

    /// The tile itself.
    var inflated: [UInt8] {
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

    /// More than any tile that a map can draw, and less than what hurts.
    static let limit = 32 << 20

    func open(_ id: TileID, _ stored: Span<UInt8>) -> OpenedTile {
        let isGzip = GzipInflater.isGzip(stored)
        let contents: Result<[UInt8], CompressionError>
        if isGzip {
            do throws(CompressionError) {
                contents = .success(try inflater.inflate(stored, limit: Self.limit))
            } catch {
                contents = .failure(error)
            }
        } else {
            contents = .success(unsafe stored.withUnsafeBufferPointer { unsafe [UInt8]($0) })
        }
        return OpenedTile(
            id: id, storedBytes: stored.count, isGzip: isGzip, contents: contents)
    }
}
