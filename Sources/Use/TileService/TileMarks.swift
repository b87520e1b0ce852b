import Geometry
import TileArchive

/// A mark of each tile of an archive, by which two of its states are compared.
struct TileMarks: Sendable {
    /// Of more, none are made: they would take much memory, and long.
    static let most = 4_000_000

    /// By tile.
    private let marks: [(tile: UInt64, mark: UInt64)]

    /// Reads all tiles; nil where they are too many.
    init?(of archive: Archive) throws(ArchiveError) {
        var marks: [(tile: UInt64, mark: UInt64)] = []
        var scan = try archive.scan()
        while let tile = try scan.next() {
            guard marks.count < Self.most else { return nil }
            marks.append((tile.hilbertID, ContentHash(of: scan.bytes).value))
        }
        marks.sort { $0.tile < $1.tile }
        self.marks = marks
    }

    /// The tiles that are others in a later state, or in one of the two alone; nil if they are more than that.
    func differences(from later: TileMarks, upTo limit: Int) -> [TileID]? {
        var (found, mine, its) = ([UInt64](), marks[...], later.marks[...])
        while found.count <= limit {
            switch (mine.first, its.first) {
            case (nil, nil): return found.compactMap(TileID.init(hilbertID:))
            case (let left?, let right?) where left.tile == right.tile:
                if left.mark != right.mark { found.append(left.tile) }
                mine.removeFirst()
                its.removeFirst()
            case (let left?, let right) where left.tile < right?.tile ?? .max:
                found.append(left.tile)
                mine.removeFirst()
            case (_, let right?):
                found.append(right.tile)
                its.removeFirst()
            case (_?, nil): preconditionFailure("what is left stands before nothing")
            }
        }
        return nil
    }
}
