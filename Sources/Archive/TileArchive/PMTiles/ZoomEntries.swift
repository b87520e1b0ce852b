import Geometry

/// The entries of a PMTiles archive's tiles, zoom by zoom; entries are split so that none spans two zooms. A copy
/// continues from where it was made.
struct ZoomEntries {
    private let file: PMTilesFile
    private let zooms: ClosedRange<Int>
    private var entries: EntryWalk
    private var ahead: PMTilesDirectory.Entry?
    /// The zoom of the next entries.
    private(set) var zoom: UInt8 = 0
    private var isInZoom = false

    init(_ file: PMTilesFile, zooms: ClosedRange<Int>) {
        self.file = file
        self.zooms = zooms
        entries = EntryWalk(file)
    }

    /// Goes to the next zoom that has tiles; false after the last.
    mutating func nextZoom() throws(ArchiveError) -> Bool {
        while try next() != nil {}
        while let entry = try nextEntry() {
            // An entry past the deepest zoom names no tile.
            guard let part = ZoomParts(entry.id, run: entry.run).first(where: { _ in true }) else {
                continue
            }
            guard part.zoom <= zooms.upperBound else { return false }
            if part.zoom >= zooms.lowerBound {
                ahead = entry
                zoom = UInt8(part.zoom)
                isInZoom = true
                return true
            }
            if part.count < Int(entry.run) { ahead = entry.dropping(part.count) }
        }
        return false
    }

    /// The next entry of the zoom; nil after its last.
    mutating func next() throws(ArchiveError) -> PMTilesDirectory.Entry? {
        guard isInZoom, let entry = try nextEntry() else { return nil }
        guard let part = ZoomParts(entry.id, run: entry.run).first(where: { _ in true }),
            part.zoom == Int(zoom)
        else {
            ahead = entry
            return nil
        }
        guard part.count < Int(entry.run) else { return entry }
        ahead = entry.dropping(part.count)
        var own = entry
        own.run = UInt32(part.count)
        return own
    }

    /// Throws before any tile is read if the entries stand for more tiles than can be read one by one.
    func check(_ budget: WorkBudget, once isChecked: inout Bool) throws(ArchiveError) {
        guard !isChecked else { return }
        isChecked = true
        var (rest, budget) = (self, budget)
        repeat {
            while let entry = try rest.next() {
                try budget.take(tiles: Int(entry.run), of: file.source.path)
            }
        } while try rest.nextZoom()
    }

    private mutating func nextEntry() throws(ArchiveError) -> PMTilesDirectory.Entry? {
        if let entry = ahead.take() { return entry }
        return try entries.next()
    }
}

extension PMTilesDirectory.Entry {
    /// The rest of a run after its first tiles.
    func dropping(_ count: Int) -> PMTilesDirectory.Entry {
        var rest = self
        rest.id += UInt64(count)
        rest.run -= UInt32(count)
        return rest
    }

    /// The tiles of the entry, which must all be of one zoom.
    func run(atZoom zoom: UInt8) -> TileRun {
        let start = id - TileID.firstHilbertID(atZoom: zoom)
        return TileRun(zoom: zoom, distances: start..<start + UInt64(run))
    }
}
