import Compression
import Geometry
import Pipelines
import TileArchive

/// Goes through all tiles of an archive with several threads, zoom by zoom. Those that the archive gives
/// the same contents are looked at once.
struct ArchiveWalk: Sendable {
    let archive: Archive
    var zooms: ClosedRange<Int> = 0...31
    var threads: Int
    /// Whether each tile is looked at, in the order of keys.
    var inKeyOrder = false
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
        let feed = try TileFeed(
            archive, zooms: zooms, inKeyOrder: inKeyOrder, hashing: hashing)
        let (path, whole) = (archive.path, archive.contentBudget)
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

/// A tile taken out of its archive.
struct OpenedTile: Sendable {
    /// All tiles that the archive gives these contents.
    var group: TileGroup
    /// How many bytes it takes in the archive.
    var storedBytes: Int
    var isGzip: Bool
    /// Whether it says itself that it is too large, so that nothing was made of it.
    var isKnownTooLarge = false
    /// The tile itself, or why it cannot be inflated; as it is stored where it is not packed.
    var contents: Result<ArraySlice<UInt8>, CompressionError>

    var id: TileID { group.first }

    /// How many bytes were made of it; of a bomb, as many as were looked at.
    var inflatedBytes: Int {
        switch contents {
        case .success(let bytes): bytes.count
        case .failure(.tooLarge(let limit)): isKnownTooLarge ? 0 : limit
        case .failure: storedBytes
        }
    }

    /// The tile itself.
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

    /// A tile that others hold on to is not copied.
    func open(_ bytes: ArraySlice<UInt8>, of group: TileGroup) -> OpenedTile {
        open(bytes.span, of: group) { bytes }
    }

    func open(
        _ stored: Span<UInt8>, of group: TileGroup = TileGroup(TileID(z: 0, x: 0, y: 0))
    ) -> OpenedTile {
        open(stored, of: group) {
            unsafe stored.withUnsafeBufferPointer { unsafe [UInt8]($0)[...] }
        }
    }

    /// - Parameter plain: gives the tile as it is stored, which is itself where it is not packed.
    private func open(
        _ stored: Span<UInt8>, of group: TileGroup, plain: () -> ArraySlice<UInt8>
    ) -> OpenedTile {
        let isGzip = GzipInflater.isGzip(stored)
        // Where the trailer lies, the bytes are damaged anyhow.
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
            contents = .success(plain())
        }
        return OpenedTile(
            group: group, storedBytes: stored.count, isGzip: isGzip,
            isKnownTooLarge: isTooLarge, contents: contents)
    }
}
