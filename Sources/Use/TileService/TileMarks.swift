import Geometry
import TileArchive

/// A mark of each tile of an archive, by which two of its states are compared.
struct TileMarks: Sendable {
    /// By tile.
    private let marks: [(tile: UInt64, mark: UInt64)]

    var count: Int { marks.count }

    /// Reads all tiles; nil where they are more than that.
    init?(of archive: Archive, upTo most: Int) throws(ArchiveError) {
        var marks: [(tile: UInt64, mark: UInt64)] = []
        // What several tiles share is read once, and a small file cannot ask for much.
        var budget = archive.contentBudget
        var scan = try archive.scanGroups(zooms: 0...31)
        while let group = try scan.next() {
            try budget.take(tiles: group.count, of: archive.path)
            try budget.take(bytes: scan.bytes.count, of: archive.path)
            guard group.count <= most - marks.count else { return nil }
            let mark = ContentHash(of: scan.bytes).value
            for tile in group.tiles { marks.append((tile.hilbertID, mark)) }
        }
        marks.sort { $0.tile < $1.tile }
        self.marks = marks
    }

    /// The tiles that are others in a later state, or in one of the two alone; nil if they are more than that.
    func differences(from later: TileMarks, upTo limit: Int) -> [TileID]? {
        var found: [UInt64] = []
        var (mine, its) = (marks[...], later.marks[...])
        while found.count <= limit {
            let (left, right) = (mine.first, its.first)
            guard let tile = [left, right].compactMap({ $0?.tile }).min() else {
                return found.compactMap(TileID.init(hilbertID:))
            }
            let isSame = left?.tile == right?.tile && left?.mark == right?.mark
            if !isSame { found.append(tile) }
            if left?.tile == tile { mine.removeFirst() }
            if right?.tile == tile { its.removeFirst() }
        }
        return nil
    }
}
