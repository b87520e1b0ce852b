import ParallelColumns

/// Nodes that do not take part yet, because the zoom of their points has not come (`EntryZooms`).
struct LateNodes {
    /// All nodes, sorted for the usual zoom.
    private let all: Level
    /// The memory of all nodes.
    let arena: Arena
    let usualZoom: Int
    /// The nodes that take part at deeper zooms, ascending, and the zoom from which each does.
    private let early: [(index: Int, zoom: Int)]

    /// - Parameter all: a node for each site, in the order of the sites.
    init(_ all: Level, in arena: Arena, _ sites: Sites, _ input: ClusterInput, _ zooms: EntryZooms)
    {
        self.all = all
        self.arena = arena
        usualZoom = zooms.usual
        var early: [(index: Int, zoom: Int)] = []
        for site in 0..<all.count {
            // All points at one place are in the same crowds.
            let point = sites.points[sites.range(of: site).lowerBound]
            let zoom = min(zooms[input.row(point)], input.options.maxZoom)
            if zoom > zooms.usual { early.append((site, zoom)) }
        }
        self.early = early
    }

    /// The bytes that all nodes take in a level.
    var byteCount: Int { all.byteCount }

    /// The nodes that take part already and those that join at this zoom, sorted; nil if none joins and the level
    /// is sorted already.
    func joining(
        _ level: Level, at zoom: Int, _ bands: Bands, ranksFrom first: UInt32, into arena: Arena,
        workers: Workers
    ) -> Level? {
        let joining = early.filter { $0.zoom == zoom }
        guard !joining.isEmpty || level.bands != bands else { return nil }
        guard level.count + joining.count > 0 else {
            return all.makeEmpty(count: 0, bands: bands, in: arena)
        }
        let both = all.makeEmpty(
            count: level.count + joining.count, bands: bands, in: workers.scratch)
        for index in 0..<level.count { both.set(index, to: index, of: level) }
        for (offset, node) in joining.enumerated() {
            both.set(level.count + offset, to: node.index, of: all)
            both.rank[level.count + offset] += first
        }
        return both.sorted(by: bands, into: arena, workers: workers)
    }

    /// The nodes that take part already, merged with all that take part from the usual zoom on. Then nothing is
    /// left here.
    func joiningRest(
        _ level: Level, ranksFrom first: UInt32, into arena: Arena, workers: Workers
    ) -> Level {
        let gone = SharedColumn<UInt8>(repeating: 0, count: all.count, in: workers.scratch)
        for node in early { gone[node.index] = 1 }
        for index in 0..<all.count { all.rank[index] += first }
        return LevelMerge.next(
            after: all, without: gone, arrivals: level, bands: all.bands, into: arena,
            workers: workers)
    }
}

extension HierarchyBuilder {
    /// Sets all nodes aside, if some take part from deeper zooms on than others.
    mutating func setAside(_ zooms: EntryZooms) {
        late = LateNodes(level, in: levelArena, hierarchy.sites, input, zooms)
        levelArena = Arena()
        level = level.makeEmpty(count: 0, bands: level.bands, in: levelArena)
    }

    /// Adds the nodes that take part from this zoom on.
    mutating func admit(_ zoom: Int) {
        guard let late else { return }
        let isUsual = zoom <= late.usualZoom
        let radius = options.radius.distance(atZoom: max(isUsual ? late.usualZoom : zoom, 0))
        let first = firstFreeRank
        workers.stage { workers in
            otherArena.reset()
            if let joined = late.joining(
                level, at: zoom, algorithm.bands(radius: radius), ranksFrom: first,
                into: otherArena, workers: workers)
            {
                level = joined
                swap(&levelArena, &otherArena)
            }
        }
        guard isUsual else { return }
        otherArena.reset(expecting: late.byteCount)
        level = workers.stage {
            late.joiningRest(level, ranksFrom: first, into: otherArena, workers: $0)
        }
        levelArena = otherArena
        otherArena = late.arena
        self.late = nil
        beginSequence()
    }

    /// The rank from which joining nodes are numbered: if refused nodes were put into a new order, those that
    /// join come after it.
    private var firstFreeRank: UInt32 {
        guard reranks, level.count > 0 else { return 0 }
        return (0..<level.count).reduce(0) { max($0, level.rank[$1]) } + 1
    }
}
