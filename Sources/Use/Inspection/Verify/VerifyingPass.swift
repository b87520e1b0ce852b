import Conversion
import ArchiveContract
import Geometry
import Pipelines
import TileArchive

/// One walk over all tiles, and the sums that it collects for later checks.
struct VerifyingPass {
    private let archive: Archive
    private let facts: CoveyFacts?
    /// Whether there is a readable index.
    let hasIndex: Bool
    private(set) var survey = Survey()
    private let ledgers = TileLedgers()

    init(_ archive: Archive, _ facts: CoveyFacts?) {
        self.archive = archive
        self.facts = facts
        hasIndex = archive.hasClusters && facts != nil
    }

    mutating func run(
        threads: Int, _ findings: inout FindingList, progress: (Int) -> Void
    ) throws -> TileFeed.Passage {
        var spacing = facts.map(SpacingCheck.init)
        var walk = ArchiveWalk(archive: archive, threads: threads)
        // For clusters, each tile is visited by itself, and their spacing is checked column by column.
        walk.inKeyOrder = facts != nil
        walk.hashing = archive.metadata.tilesHash != nil
        let (facts, hasIndex) = (facts, hasIndex)
        let covered = try facts.flatMap { try CoveredZooms(archive, $0) }
        let (wantsGzip, ledgers) = (archive.wantsGzip, ledgers)
        let nodeCheck = facts.map {
            NodeCheck($0, hasIndex: hasIndex, covered: covered, archive.metadata, ledgers)
        }
        let passage = try walk.run(
            state: { WorkerState(TileCheck(facts, nodeCheck, wantsGzip: wantsGzip)) },
            output: { CheckedTiles() },
            visit: { check, checked, tile in check.value.check(tile, into: &checked) },
            consume: { checked in
                survey.merge(checked.survey)
                findings.merge(checked.findings)
                var waiting = checked.waiting
                ledgers.post(&waiting)
                spacing?.include(checked.spaced, &findings)
                progress(survey.tiles)
            })
        spacing?.finish(&findings)
        return passage
    }

    /// Checks the promises for the clusters of the whole archive (clustering.md, Invariants).
    mutating func checkClusters(
        _ facts: CoveyFacts, threads: Int, _ findings: inout FindingList
    ) throws {
        checkSums(facts, &findings)
        let sums = ledgers.sums
        let copies = sums.copies.differences
        // At its edge a part lacks the tiles that a copy is of.
        if facts.description.variableDepth == 0, !facts.description.isPart, !copies.isEmpty {
            try CopyTrace(archive, CopyCheck(buffer: facts.description.buffer)).trace(
                copies, threads: threads, &findings)
        }
        guard hasIndex else { return }
        guard !survey.zooms.isEmpty else { return }
        let drawnZooms = facts.layers.map { zooms(of: $0.name) }
        let check = try HierarchyCheck(
            archive, facts, zooms: drawnZooms, drawn: sums.drawn, positions: sums.positions)
        let result = try check.run()
        findings.merge(result.findings)
        let differing = report(result, &findings)
        try MissingTiles(archive: archive, facts: facts, drawnZooms: drawnZooms)
            .find(at: differing, &findings)
    }

    /// At each zoom, a layer must show all of its points, each once.
    private func checkSums(_ facts: CoveyFacts, _ findings: inout FindingList) {
        var names: [String] = []
        for layer in facts.layers where !names.contains(layer.name) {
            names.append(layer.name)
        }
        for name in names {
            guard let wanted = facts.points(inLayer: name) else { continue }
            guard let drawn = zooms(of: name) else { continue }
            checkSum(of: name, wanted, drawn, &findings)
            let heated = facts.layers.filter { $0.name == name }.map(\.heatMaxZoom)
            // Each of the joined layers must have one.
            guard let deepest = heated.compactMap({ $0 }).min(), !heated.contains(nil) else {
                continue
            }
            let last = min(deepest, drawn.upperBound)
            guard drawn.lowerBound <= last else { continue }
            checkSum(
                of: CompanionLayer.heat.name(beside: name), wanted, drawn.lowerBound...last,
                &findings)
        }
    }

    private func checkSum(
        of name: String, _ wanted: Int, _ zooms: ClosedRange<Int>, _ findings: inout FindingList
    ) {
        let layer = survey.layers.first { $0.name == name }
        for zoom in zooms {
            let found = layer?.pointsByZoom[UInt8(zoom)] ?? 0
            guard found != wanted else { continue }
            findings.add(
                .error, "sums", "a zoom does not show all points of a layer, each once",
                at: "zoom \(zoom), \(name): \(found) of \(wanted)")
        }
    }

    /// The zooms at which a layer is drawn, by the metadata; nil if a part that was cut out has none of them,
    /// which happens to one layer of several that were joined. Only whole archives have `tilestats`.
    private func zooms(of layer: String) -> ClosedRange<Int>? {
        let metadata = archive.metadata
        let entry = metadata.vectorLayers.first { $0.id == layer }
        if entry == nil, metadata.tileStats == nil { return nil }
        let least = entry?.minZoom ?? metadata.minZoom ?? 0
        let most = entry?.maxZoom ?? metadata.maxZoom ?? least
        return Int(least)...Int(max(least, most))
    }

    /// Reports the zooms that differ from the index, and returns those that lack nodes or have others.
    private func report(
        _ result: HierarchyCheck.Result, _ findings: inout FindingList
    ) -> [Int] {
        let zooms = Set(result.drawn.differences.map(DrawnLedger.zoom))
        for zoom in zooms.sorted() {
            findings.add(
                .error, "index",
                "a zoom does not show the points and clusters that the index has",
                at: "zoom \(zoom)")
        }
        // Missing nodes also lack positions.
        let moved = Set(result.positions.differences.map(DrawnLedger.zoom)).subtracting(zooms)
        for zoom in moved.sorted() {
            findings.add(
                .error, "positions", "a zoom shows points or clusters where the index has none",
                at: "zoom \(zoom)")
        }
        return zooms.sorted()
    }
}
