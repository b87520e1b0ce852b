import Geometry

/// Violations of the rules of PMTiles in a file, whatever its tiles hold: the places of the sections, the counts
/// of the header, and the order of the entries.
struct PMTilesAudit {
    private(set) var problems: [PMTilesProblem] = []
    private var addressed: UInt64 = 0
    private var entries: UInt64 = 0
    private var offsets: Set<UInt64> = []
    private var dataEnd: UInt64 = 0
    private var firstID: UInt64?
    private var lastID: UInt64 = 0
    private var isOrdered = true
    /// The number of tiles of each zoom.
    private var tilesByZoom = [UInt64](repeating: 0, count: Int(TileID.deepestZoom) + 1)
    private var outsideCount = 0

    /// The most entries outside of the tile data that are reported one by one.
    private static let mostOutside = 20

    init(of file: PMTilesFile) throws(ArchiveError) {
        checkSections(file)
        do {
            var walk = EntryWalk(file)
            while let entry = try walk.next() { include(entry, file.header) }
            if walk.levels > 2 { problems.append(.deepDirectories(walk.levels)) }
        } catch .corrupt(_, let reason) {
            problems.append(.directories(reason))
            return
        }
        if !file.header.isClustered, isOrdered, entries > 0 { problems.append(.notCalledOrdered) }
        if file.header.tileCompression == .unknown { problems.append(.unknownCompression) }
        checkCounts(file.header)
        checkZooms(file.header)
        checkBounds(file.header)
    }

    private mutating func checkSections(_ file: PMTilesFile) {
        let header = file.header
        let sections = [
            ("root directory", header.root), ("metadata", header.metadata),
            ("leaf directories", header.leaves), ("tile data", header.tiles),
        ]
        var length = UInt64(PMTilesHeader.byteCount)
        for (name, section) in sections {
            if section.offset == 0 { problems.append(.noOffset(section: name)) }
            length += section.length
        }
        if length != UInt64(file.source.byteCount) {
            problems.append(.length(sections: length, file: file.source.byteCount))
        }
        var end = UInt64(PMTilesHeader.byteCount)
        for (name, section) in sections.sorted(by: { $0.1.offset < $1.1.offset })
        where section.length > 0 {
            if section.offset < end { problems.append(.overlap(section: name)) }
            end = section.offset + section.length
        }
        if header.root.offset + header.root.length > UInt64(PMTilesHeader.frontBytes) {
            problems.append(.rootTooFar)
        }
        let bounds = header.bounds
        if bounds[0] >= bounds[2] || bounds[1] >= bounds[3] { problems.append(.noArea) }
    }

    private mutating func include(
        _ entry: PMTilesDirectory.Entry, _ header: PMTilesHeader
    ) {
        entries += 1
        addressed += UInt64(entry.run)
        if firstID == nil { firstID = entry.id }
        lastID = entry.id + UInt64(entry.run) - 1
        let end = entry.offset.addingReportingOverflow(UInt64(entry.length))
        if end.overflow || end.partialValue > header.tiles.length {
            outsideCount += 1
            if outsideCount <= Self.mostOutside { problems.append(.outsideOfData(id: entry.id)) }
        }
        for (zoom, count) in ZoomParts(entry.id, run: entry.run) {
            tilesByZoom[zoom] += UInt64(count)
        }
        guard offsets.insert(entry.offset).inserted else { return }
        if isOrdered, entry.offset != dataEnd {
            isOrdered = false
            if header.isClustered { problems.append(.unordered(id: entry.id)) }
        }
        dataEnd = end.partialValue
    }

    private mutating func checkCounts(_ header: PMTilesHeader) {
        let counts = [
            ("addressed tiles", header.addressedTiles, addressed),
            ("tile entries", header.entries, entries),
            ("tile contents", header.contents, UInt64(offsets.count)),
        ]
        for (what, stated, found) in counts where stated != found {
            problems.append(.count(of: what, stated: stated, found: found))
        }
    }

    private mutating func checkZooms(_ header: PMTilesHeader) {
        guard let firstID else { return }
        let zooms = [
            ("minimum", header.minZoom, TileID.zoom(ofHilbertID: firstID)),
            ("maximum", header.maxZoom, TileID.zoom(ofHilbertID: lastID)),
        ]
        for (which, stated, found) in zooms where stated != found {
            problems.append(.zoom(which: which, stated: stated, found: found ?? 0))
        }
        if header.centerZoom < header.minZoom || header.centerZoom > header.maxZoom {
            problems.append(.centerZoom(header.centerZoom))
        }
    }

    /// Checks that a zoom has no more tiles than its bounds touch, with one on each side for what reaches over:
    /// more come from a forged run.
    private mutating func checkBounds(_ header: PMTilesHeader) {
        let edges = header.bounds.map { Double($0) / 1e7 }
        guard edges[0] < edges[2], edges[1] < edges[3], abs(edges[0]) <= 180,
            abs(edges[2]) <= 180, abs(edges[1]) <= 90, abs(edges[3]) <= 90
        else { return }
        let northWest = WorldPoint(LonLat(longitude: edges[0], latitude: edges[3]))
        let southEast = WorldPoint(LonLat(longitude: edges[2], latitude: edges[1]))
        for (zoom, count) in tilesByZoom.enumerated() where count > 0 {
            let side = Double(UInt64(1) << UInt64(zoom))
            func span(_ least: Double, _ most: Double) -> UInt64 {
                UInt64(min((most * side).rounded(.down) - (least * side).rounded(.down) + 3, side))
            }
            let most =
                span(northWest.x, southEast.x) * span(northWest.y, southEast.y)
            guard count > most else { continue }
            problems.append(.beyondBounds(zoom: zoom, found: count, most: most))
        }
    }
}
