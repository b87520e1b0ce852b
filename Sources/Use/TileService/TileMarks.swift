import Basics
import Geometry
import TileArchive

/// A mark of each tile of an archive, to compare two states of it.
struct TileMarks: Sendable {
    /// The marks, sorted by tile.
    private let marks: [(tile: UInt64, mark: UInt64)]

    var count: Int { marks.count }

    /// Reads all tiles; nil if there are more than `most`.
    init?(of archive: Archive, upTo most: Int) throws(ArchiveError) {
        var marks: [(tile: UInt64, mark: UInt64)] = []
        // Contents that several tiles share are read once, and the work for a small file is limited.
        var budget = archive.workBudget
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

    /// The tiles that differ in a later state, or are in only one of the two; nil if there are more than the limit.
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
