import Geometry
import SQLite

/// Some tiles that wait to be inserted by one statement.
struct TileBatch: ~Copyable {
    private(set) var tiles: [TileID] = []
    private(set) var bytes: [UInt8] = []
    /// The end of each tile in `bytes`.
    private(set) var ends: [Int] = []

    /// The rows of a statement; beyond some dozens, more of them save nothing measurable.
    static let capacity = 32

    /// The most bytes that wait for more.
    static let mostBytes = 4 << 20

    var hasAllRows: Bool { tiles.count == Self.capacity }
    var isFull: Bool { hasAllRows || bytes.count >= Self.mostBytes }

    mutating func append(_ tile: TileID, _ contents: Span<UInt8>) {
        tiles.append(tile)
        unsafe contents.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        ends.append(bytes.count)
    }

    mutating func removeAll() {
        tiles.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    /// A statement that inserts a number of tiles: tile `i` has its numbers in the parameters from `3i + 1` on,
    /// and its bytes in the parameters after all numbers.
    static func insertion(rows: Int) -> String {
        let rows = (0..<rows).map { row in
            "(?\(3 * row + 1), ?\(3 * row + 2), ?\(3 * row + 3), ?\(3 * rows + row + 1))"
        }
        return "INSERT INTO tiles VALUES " + rows.joined(separator: ", ")
    }

    /// Inserts the tiles in `range` by a statement for that number of tiles.
    func insert(_ range: Range<Int>, by statement: inout Statement) throws(SQLiteError) {
        let start = range.lowerBound == 0 ? 0 : ends[range.lowerBound - 1]
        try Self.insert(
            tiles[range], bytes.span.extracting(start..<ends[range.upperBound - 1]),
            cutAt: ends[range].map { $0 - start }, by: &statement)
    }

    /// Inserts tiles whose bytes are one after another.
    static func insert(
        _ tiles: ArraySlice<TileID>, _ bytes: Span<UInt8>, cutAt ends: [Int],
        by statement: inout Statement
    ) throws(SQLiteError) {
        var parameter = 1
        for tile in tiles {
            try statement.bind(Int64(tile.z), at: parameter)
            try statement.bind(Int64(tile.x), at: parameter + 1)
            try statement.bind(Int64(tile.tmsRow), at: parameter + 2)
            parameter += 3
        }
        try statement.run(binding: bytes, cutAt: ends, from: parameter)
    }
}
