/// Goes through the contents of a PMTiles archive, zoom by zoom, in their order in the file: all tiles with the
/// same contents are one group, however many they are.
final class PMTilesContentWalk: GroupWalk {
    private var tiles: ZoomEntries
    private var window: ReadAhead
    /// Entries of one zoom by the place of their contents, the next last.
    private var waiting: [PMTilesDirectory.Entry] = []
    private var budget: WorkBudget
    private let path: String

    /// The most entries that are sorted at once, in six megabytes. If a zoom has more, contents may come again.
    private static let mostWaiting = 1 << 18

    init(_ file: PMTilesFile, zooms: ClosedRange<Int>, _ budget: WorkBudget) {
        tiles = ZoomEntries(file, zooms: zooms)
        self.budget = budget
        path = file.source.path
        window = ReadAhead(file)
    }

    func nextGroup(_ bytes: inout [UInt8]) throws(ArchiveError) -> TileGroup? {
        if waiting.isEmpty { try gather() }
        guard let entry = waiting.popLast() else { return nil }
        var runs = [entry.run(atZoom: tiles.zoom)]
        while let next = waiting.last, next.offset == entry.offset, next.length == entry.length {
            runs.append(next.run(atZoom: tiles.zoom))
            waiting.removeLast()
        }
        try budget.take(bytes: Int(entry.length), of: path)
        try window.read(entry, &bytes)
        let group = TileGroup(runs)
        try budget.count(bytes: bytes.count, times: group.count, of: path)
        return group
    }

    private func gather() throws(ArchiveError) {
        repeat {
            while waiting.count < Self.mostWaiting, let entry = try tiles.next() {
                waiting.append(entry)
            }
            guard waiting.isEmpty else { break }
        } while try tiles.nextZoom()
        waiting.sort { ($0.offset, $0.length, $0.id) > ($1.offset, $1.length, $1.id) }
    }
}
