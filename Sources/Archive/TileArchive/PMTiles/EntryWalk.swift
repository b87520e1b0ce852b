/// Goes through the entries of an archive by ascending id, through all directories.
///
/// Directories of untrusted files may form loops: each must hold what its entry promised, so that ids ascend over
/// all of them and the walk ends.
struct EntryWalk {
    typealias Entry = PMTilesDirectory.Entry

    private let file: PMTilesFile
    private var open: [(directory: PMTilesDirectory, next: Int, end: UInt64)]
    private var last: UInt64?
    private var budget: WorkBudget
    /// How many leaf directories were opened, and their depth.
    private(set) var leafCount = 0
    private(set) var levels = 1

    init(_ file: PMTilesFile) {
        self.file = file
        budget = WorkBudget(fileBytes: file.source.byteCount)
        open = [(file.root, 0, .max)]
    }

    /// The next entry of a tile; nil after the last.
    mutating func next() throws(ArchiveError) -> Entry? {
        while let top = open.last {
            guard top.next < top.directory.entries.count else {
                open.removeLast()
                continue
            }
            let entry = top.directory.entries[top.next]
            open[open.count - 1].next += 1
            guard entry.isLeaf else {
                try check(entry, before: top.end)
                try budget.take(tiles: 1, of: file.source.path)
                return entry
            }
            guard open.count < PMTilesFile.mostLevels else {
                throw file.damaged("its directories are nested too deeply")
            }
            let following = top.next + 1
            let end =
                following < top.directory.entries.count
                ? top.directory.entries[following].id : top.end
            let leaf = try file.leaf(entry)
            guard let first = leaf.entries.first, first.id >= entry.id else {
                throw file.damaged("a leaf directory begins before its entry, or is empty")
            }
            leafCount += 1
            open.append((leaf, 0, end))
            levels = max(levels, open.count)
        }
        return nil
    }

    private mutating func check(_ entry: Entry, before end: UInt64) throws(ArchiveError) {
        let (behind, isTooGreat) = entry.id.addingReportingOverflow(UInt64(entry.run))
        guard !isTooGreat, behind <= end, last.map({ $0 < entry.id }) ?? true else {
            throw file.damaged("its directories overlap at tile \(entry.id)")
        }
        last = behind - 1
    }
}
