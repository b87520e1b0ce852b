import Geometry
import ParallelColumns
import Points

/// Clusters the points of one hierarchy, zoom by zoom from the deepest up.
struct HierarchyBuilder {
    let input: ClusterInput
    let options: ClusterOptions
    let algorithm: any ClusteringAlgorithm
    private let rule: MergeRule
    let workers: Workers
    let choice: RepresentativeChoice?
    /// Supercluster's order of visits, if it depends on the search.
    private var sequence: VisitingSequence?
    private let inSearchOrder: Bool
    /// Whether the last bits of a mean decided which node gathers which.
    private var metTie = false
    var level: Level
    /// The memory of the level, and that of the level before and the one to come.
    var levelArena: Arena
    var otherArena: Arena
    var hierarchy: Hierarchy
    /// What is in doubt, if only a part of the world is known.
    var doubt: Doubt?
    /// The keys of the order of visits, if they are handed up.
    var visits: VisitHistory?
    /// The nodes that do not take part yet.
    var late: LateNodes?

    /// The hierarchy, or nil if `goesOn` was false before some zoom.
    static func build(
        _ input: ClusterInput, workers: Workers, goesOn: (_ zoom: Int) -> Bool
    ) -> Hierarchy? {
        for inSearchOrder in [false, true] {
            var builder = HierarchyBuilder(input, workers: workers, inSearchOrder: inSearchOrder)
            builder.begin()
            for zoom in input.options.zooms.reversed() where !builder.metTie {
                guard goesOn(zoom) else { return nil }
                builder.cluster(zoom)
            }
            // Then everything is done once more, in the order on which the last bits of means depend.
            if builder.metTie { continue }
            builder.admit(input.options.minZoom - 1)
            workers.stage { builder.collectRoots($0) }
            return builder.hierarchy
        }
        preconditionFailure("ties are met in rank order only")
    }

    /// - Parameter inSearchOrder: whether nodes are visited as Supercluster visits them even if nothing is
    ///   refused: this takes longer, and changes only the last bits of means.
    init(_ input: ClusterInput, workers: Workers, inSearchOrder: Bool = false) {
        self.input = input
        self.inSearchOrder = inSearchOrder
        options = input.options
        self.workers = workers
        algorithm = options.makeAlgorithm()
        rule = MergeRule(minPoints: options.minPoints, minSites: options.minUniqueLocations)
        choice = RepresentativeChoice(options.position, of: input, workers: workers)
        let firstZoom = input.entryZooms?.usual ?? options.maxZoom
        let bands = algorithm.bands(radius: options.radius.distance(atZoom: max(firstZoom, 0)))
        let arena = Arena(expecting: input.count * Level.bytesPerNode)
        otherArena = Arena(expecting: input.count * Level.bytesPerNode)
        let (sites, level) = workers.stage { workers in
            Sites.find(in: input, bands: bands, into: arena, workers: workers)
        }
        levelArena = arena
        hierarchy = Hierarchy(sites: sites)
        self.level = level
        if let given = input.given { workers.stage { adopt(given, $0) } }
    }

    /// Prepares for the deepest zoom.
    mutating func begin() {
        formCoincident()
        if let zooms = input.entryZooms { setAside(zooms) } else { beginSequence() }
    }

    /// Whether refused nodes follow the one that had gathered them.
    var reranks: Bool { algorithm.reranksRefused && !rule.acceptsAnyPair && !isSequential }

    /// On a flat world and in the order of the input, `greedy` is Supercluster to the last node.
    private var isSequential: Bool {
        algorithm.reranksRefused && (inSearchOrder || !rule.acceptsAnyPair)
            && options.order == .input && !options.wrap
    }

    /// Sets up Supercluster's order, once all nodes take part.
    mutating func beginSequence() {
        if isSequential { sequence = VisitingSequence(of: level, hierarchy.sites) }
    }

    mutating func cluster(_ zoom: Int) {
        // Levels shrink while the hierarchy grows.
        defer {
            hierarchy.endZoom()
            workers.scratch.trim()
        }
        admit(zoom)
        if level.count == 0 {
            let radius = options.radius.distance(atZoom: zoom)
            doubt?.passZoom(radius: radius)
            return
        }
        if nothingCanMerge, doubt == nil { return }
        if algorithm.repeats, rule.acceptsAnyPair, doubt == nil {
            workers.stage { settle(zoom, $0) }
            return
        }
        var merged = true
        while merged {
            merged = workers.stage { pass(at: zoom, isLastOfZoom: !algorithm.repeats, $0) }
            if !algorithm.repeats { return }
        }
    }

    /// Whether the level is empty or one node that cannot become a cluster; a site of several points can.
    private var nothingCanMerge: Bool {
        guard let node = level.count == 1 ? level.node[0] : nil else { return level.count == 0 }
        return node.isCluster || level.points[0] == 1
    }

    /// One pass over the level; true if any nodes merged.
    private mutating func pass(at zoom: Int, isLastOfZoom: Bool, _ workers: Workers) -> Bool {
        let assignment = findAssignment(workers)
        // Points have the same positions in any order, so ties matter only once there are clusters.
        if !inSearchOrder, hierarchy.count > 0 {
            metTie = assignment.neighbourhood?.metTie ?? false
        }
        let (formation, formed) = form(level, assignment, zoom: zoom, workers)
        let arrivals = formed.nodes
        let merged = arrivals.count > 0
        doubt?.follow(formation, formed, isLast: isLastOfZoom || !merged)
        visits?.follow(formation, formed, zoom: zoom)
        // In part of the world, too, where more may merge elsewhere.
        if reranks { Reranking.apply(formation, arrivals: arrivals, workers: workers) }
        let nextZoom = isLastOfZoom || !merged ? zoom - 1 : zoom
        if !merged, nextZoom < options.minZoom { return false }
        if let sequence { sequence.rerank(formation, arrivals: arrivals) }
        advance(to: nextZoom, after: formation, arrivals: arrivals, workers)
        return merged
    }

    /// All passes of a zoom, where any two nodes near each other merge.
    ///
    /// Nodes that a pass leaves as they were are further apart than the radius. So later passes see only active
    /// nodes: clusters formed at this zoom, and nodes that came to lie near one.
    private mutating func settle(_ zoom: Int, _ workers: Workers) {
        var (formation, formed) = form(level, assignment(of: level, workers), zoom: zoom, workers)
        let whole = formation
        let nearby = NearbyNodes(of: whole, wraps: options.wrap)
        var active = formed.nodes
        if formed.count > 0 {
            active = nearby.take(around: formed, workers: workers)
                .sorted(by: level.bands, into: Arena(), workers: workers)
        }
        while formed.count > 0 {
            workers.stage { workers in
                (formation, formed) = form(
                    active, assignment(of: active, workers), zoom: zoom, workers)
                guard formed.count > 0 else { return }
                // The seeds are indexes of active nodes, which mean nothing in the whole level.
                formed.seeds = nil
                active = LevelMerge.next(
                    after: active, without: formation.gone,
                    arrivals: nearby.take(around: formed, workers: workers),
                    bands: level.bands, into: Arena(), workers: workers)
            }
        }
        advance(to: zoom - 1, after: whole, arrivals: active, workers)
    }

    /// Makes the level of the next pass.
    private mutating func advance(
        to zoom: Int, after formation: ClusterFormation, arrivals: Level, _ workers: Workers
    ) {
        let radius = options.radius.distance(atZoom: max(zoom, options.minZoom))
        otherArena.reset(expecting: formation.level.byteCount)
        level = LevelMerge.next(
            after: formation.level, without: formation.gone, arrivals: arrivals,
            bands: algorithm.bands(radius: radius), into: otherArena, workers: workers)
        swap(&levelArena, &otherArena)
    }

    /// One pass over some nodes: forms clusters and returns them as nodes of a level.
    private mutating func form(
        _ nodes: Level, _ assignment: Assignment, zoom: Int, _ workers: Workers
    ) -> (formation: ClusterFormation, formed: FormedClusters) {
        let formation = ClusterFormation(
            nodes, assignment: assignment, rule: rule, hierarchy: hierarchy, workers: workers)
        let formed = FormedClusters(
            count: formation.clusterCount, like: level, scratch: workers.scratch)
        guard formed.count > 0 else { return (formation, formed) }
        workers.stage { workers in
            let room = hierarchy.makeRoom(
                for: formation, represented: choice != nil)
            let positioning = Positioning(
                position: options.position, wraps: options.wrap, input: input,
                hierarchy: hierarchy, choice: choice, zoom: zoom,
                movesNodes: algorithm.movesNodes,
                means: options.weighted ? nil : assignment.means)
            ClusterWriter(formation, to: room, formed, positioning).run(workers)
        }
        return (formation, formed)
    }

    private mutating func findAssignment(_ workers: Workers) -> Assignment {
        let (level, rule) = (level, rule)
        if let assignment = sequence?.assignment(of: level, rule: rule, workers: workers) {
            return assignment
        }
        return self.assignment(of: level, workers)
    }

    private func assignment(of nodes: Level, _ workers: Workers) -> Assignment {
        algorithm.assignment(of: nodes, rule: rule, wraps: options.wrap, workers: workers)
    }

    /// The nodes that are left, along the Hilbert curve, so that leaves near each other get
    /// numbers near each other.
    private mutating func collectRoots(_ workers: Workers) {
        let level = level
        let sorted = RadixSort.order(of: level.count, bits: 52, workers: workers) { index in
            let cell = TileID(holding: WorldPoint(x: level.x[index], y: level.y[index]), zoom: 26)
            return Hilbert.distance(x: cell.x, y: cell.y, order: 26)
        }
        sorted.sortTies(workers) { level.rank[$0] < level.rank[$1] }
        for index in 0..<sorted.count { hierarchy.roots.append(level.node[sorted[index].item]) }
    }
}

extension ClusterOptions {
    /// The zooms at which nodes merge.
    var zooms: Range<Int> { minZoom..<maxZoom + 1 }
}
