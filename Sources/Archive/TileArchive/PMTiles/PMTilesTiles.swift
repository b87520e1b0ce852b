import Geometry

/// Looks up tiles in a PMTiles archive. Maps mostly ask for neighbouring tiles, whose leaf directory is already
/// at hand.
final class PMTilesTileFinder: TileFinder {
    private let file: PMTilesFile
    /// The leaf directory that was used last.
    private var leaf: PMTilesDirectory?
    private var window: ReadAhead

    init(_ file: PMTilesFile) {
        self.file = file
        window = ReadAhead(file)
    }

    func withTile(
        at tile: TileID, _ body: (Span<UInt8>) -> Void
    ) throws(ArchiveError) -> Bool {
        guard let entry = try entry(for: tile.hilbertID) else { return false }
        try window.withContents(of: entry, body)
        return true
    }

    private func entry(for id: UInt64) throws(ArchiveError) -> PMTilesDirectory.Entry? {
        if let leaf, leaf.ids?.contains(id) == true {
            // A tile in its range that it does not have is in no other leaf.
            guard let entry = leaf.entry(for: id) else { return nil }
            if !entry.isLeaf { return entry }
        }
        return try file.entry(for: id) { leaf = $0 }
    }
}

/// Reads contents of a PMTiles file; once they follow one another closely, it reads ahead.
struct ReadAhead {
    private let file: PMTilesFile
    private var start = 0
    private var bytes: [UInt8] = []
    /// The end of the contents that were read last.
    private var end = 0

    private static let length = 256 << 10
    private static let nearBytes = 16 << 10

    init(_ file: PMTilesFile) { self.file = file }

    mutating func withContents(
        of entry: PMTilesDirectory.Entry, _ body: (Span<UInt8>) -> Void
    ) throws(ArchiveError) {
        let range = try file.range(of: entry)
        let follows = (end...end + Self.nearBytes).contains(range.lowerBound)
        end = range.upperBound
        if range.isEmpty || range.lowerBound < start || range.upperBound > start + bytes.count {
            guard follows, range.count < Self.length else {
                let bytes = try file.source.bytes(range)
                return body(bytes.span)
            }
            let end = min(range.lowerBound + Self.length, file.source.byteCount)
            bytes = try file.source.bytes(range.lowerBound..<end)
            start = range.lowerBound
        }
        let first = range.lowerBound - start
        body(bytes.span.extracting(first..<first + range.count))
    }

    /// Replaces `bytes` with the contents of an entry.
    mutating func read(
        _ entry: PMTilesDirectory.Entry, _ bytes: inout [UInt8]
    ) throws(ArchiveError) {
        try withContents(of: entry) { contents in
            bytes.removeAll(keepingCapacity: true)
            unsafe contents.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        }
    }
}
