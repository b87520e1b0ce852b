import Geometry

/// The entries of a PMTiles archive's tiles zoom by zoom, none of which lies in two zooms. A copy goes
/// on from where it was made.
struct ZoomEntries {
    private let file: PMTilesFile
    private let zooms: ClosedRange<Int>
    private var entries: EntryWalk
    private var ahead: PMTilesDirectory.Entry?
    private var zoom = -1
    private var budget: WorkBudget
    /// Entries past the deepest zoom that there is.
    private(set) var strayCount = 0

    init(_ file: PMTilesFile, zooms: ClosedRange<Int>, _ budget: WorkBudget) {
        self.budget = budget
        self.file = file
        self.zooms = zooms
        entries = EntryWalk(file)
    }

    /// Goes to the next zoom that has tiles; nil behind the last.
    mutating func nextZoom() throws(ArchiveError) -> UInt8? {
        while try next() != nil {}
        while let entry = try nextEntry() {
            guard let part = ZoomParts(entry.id, run: entry.run).first(where: { _ in true }) else {
                strayCount += 1
                continue
            }
            guard part.zoom <= zooms.upperBound else { return nil }
            if part.zoom >= zooms.lowerBound {
                ahead = entry
                zoom = part.zoom
                return UInt8(part.zoom)
            }
            if part.count < Int(entry.run) { ahead = entry.dropping(part.count) }
        }
        return nil
    }

    /// The next entry of the zoom; nil behind its last.
    mutating func next() throws(ArchiveError) -> PMTilesDirectory.Entry? {
        guard zoom >= 0, let entry = try nextEntry() else { return nil }
        guard let part = ZoomParts(entry.id, run: entry.run).first(where: { _ in true }),
            part.zoom == zoom
        else {
            ahead = entry
            return nil
        }
        try budget.take(tiles: part.count, of: file.source.path)
        guard part.count < Int(entry.run) else { return entry }
        ahead = entry.dropping(part.count)
        var own = entry
        own.run = UInt32(part.count)
        return own
    }

    private mutating func nextEntry() throws(ArchiveError) -> PMTilesDirectory.Entry? {
        if let entry = ahead.take() { return entry }
        return try entries.next()
    }
}

extension PMTilesDirectory.Entry {
    /// What is left of a run behind its first tiles.
    fileprivate func dropping(_ count: Int) -> PMTilesDirectory.Entry {
        var rest = self
        rest.id += UInt64(count)
        rest.run -= UInt32(count)
        return rest
    }
}
