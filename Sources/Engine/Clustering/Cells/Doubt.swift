import Geometry
import ParallelColumns

/// What a cell cannot be sure of, because it knows only a part of the world.
///
/// The engine runs as if there was nothing beyond the known ground. After each pass it is found which nodes
/// might have fared otherwise, whatever lies there; all others are as in the whole world, bit for bit.
struct Doubt: Sendable {
    private var unknown: UnknownGround
    /// Where nothing may be in doubt.
    private let box: WorldBox
    private let rule: Rule
    /// The passes that a zoom takes anywhere in the world, as supposed.
    private let passLimit: Int
    private var passes = 0
    private var isSiteDoubtful: [Bool]
    private var isClusterDoubtful: [Bool] = []
    /// Why the cell has to be run again, if it has.
    private(set) var failure: CellFailure?

    /// What a pass does with neighbours: `ordering` is gathering after which refused nodes live on, in
    /// another order.
    private enum Rule {
        case gathering, ordering, refusing, grid
    }

    init(_ task: CellTask, _ options: ClusterOptions, siteCount: Int) {
        unknown = UnknownGround(beyond: task.known(wraps: options.wrap))
        box = task.certain
        passLimit = options.algorithm == .spaced ? task.passLimit : 1
        isSiteDoubtful = Array(repeating: false, count: siteCount)
        let rule = MergeRule(minPoints: options.minPoints, minSites: options.minUniqueLocations)
        self.rule =
            switch options.algorithm {
            case .grid: .grid
            case .greedy: rule.acceptsAnyPair ? .gathering : .ordering
            case .spaced: rule.acceptsAnyPair ? .gathering : .refusing
            }
    }

    /// Takes a pass into account: who it leaves in doubt, and how far that reaches.
    /// - Parameter isLast: whether the zoom ends with it.
    mutating func follow(
        _ formation: ClusterFormation, _ formed: FormedClusters, isLast: Bool
    ) {
        passes += 1
        // One that knows the whole world is sure of itself, but not the others.
        if passes > passLimit, formed.count > 0 { failure = .tooManyPasses }
        guard !unknown.known.isWhole else {
            if isLast { passes = 0 }
            return
        }
        let doubtful = passes <= passLimit ? spread(formation) : []
        mark(formed, doubtful, of: formation.level)
        guard isLast else { return }
        // Elsewhere nodes may still be merging.
        while passes < passLimit {
            passes += 1
            _ = spread(formation)
        }
        passes = 0
        endZoom(formation.level.bands)
    }

    /// Takes a zoom into account at which nothing is known.
    mutating func passZoom(radius: Double) {
        guard !unknown.known.isWhole else { return }
        let bands = Bands(radius: radius)
        if rule != .grid {
            for _ in 0..<passLimit { unknown.spread(by: bands.reach, around: []) }
        }
        endZoom(bands)
    }

    /// Why it is not certain that no node comes to stand where nothing is known.
    static func failure(ofNothingIn task: CellTask, _ options: ClusterOptions) -> CellFailure? {
        var doubt = Doubt(task, options, siteCount: 0)
        for zoom in options.zooms.reversed() where doubt.failure == nil {
            doubt.passZoom(radius: options.radius.distance(atZoom: zoom))
        }
        return doubt.failure
    }

    private mutating func endZoom(_ bands: Bands) {
        // A merge at the cell's edge must be seen with all who take part in it.
        let distance = rule == .grid ? bands.radius * (1 + 1e-6) : bands.reach
        if !unknown.clears(box, by: distance) { failure = failure ?? .marginTooNarrow }
        unknown.simplify(for: bands.reach)
    }

    /// Finds the nodes that a pass leaves in doubt, and marks those that live on.
    private mutating func spread(_ formation: ClusterFormation) -> [Int] {
        let level = formation.level
        let (doubtful, displaced) = doubtful(after: formation, states(of: level))
        if rule != .grid {
            unknown.spread(
                by: level.bands.reach,
                around: displaced.map { WorldPoint(x: level.x[$0], y: level.y[$0]) })
        }
        for index in doubtful where formation.survives(index) {
            let node = level.node[index]
            if node.isCluster {
                markCluster(node.number)
            } else {
                isSiteDoubtful[node.number] = true
            }
        }
        return doubtful
    }

    private func doubtful(
        after formation: ClusterFormation, _ states: [DoubtOfPass.State]
    ) -> (doubtful: [Int], displaced: [Int]) {
        guard rule != .grid else { return (states.indices.filter { states[$0] == .near }, []) }
        guard states.contains(.near) else { return ([], []) }
        guard let near = formation.assignment.neighbourhood else {
            preconditionFailure("a pass that searches tells where it searched")
        }
        if rule != .refusing {
            var pass = DoubtOfPass(formation.level, formation.assignment, near, states)
            pass.run()
            // Who is gathered in vain lives on where it is.
            return (pass.doubtful, rule == .ordering ? pass.doubtful : pass.displaced)
        }
        var pass = DoubtOfRefusals(formation.level, formation.assignment, near, states)
        pass.run()
        return (pass.doubtful, pass.doubtful)
    }

    /// Marks the new clusters that are in doubt: those that grew from a node that is or was.
    private mutating func mark(_ formed: FormedClusters, _ doubtful: [Int], of level: Level) {
        guard let seeds = formed.seeds else { return }
        let doubtful = Set(doubtful)
        for index in 0..<formed.count {
            let seed = Int(seeds[index])
            guard doubtful.contains(seed) || isDoubtful(level.node[seed]) else { continue }
            markCluster(formed.nodes.node[index].number)
        }
    }

    private mutating func markCluster(_ number: Int) {
        while isClusterDoubtful.count <= number { isClusterDoubtful.append(false) }
        isClusterDoubtful[number] = true
    }

    func isDoubtful(_ node: NodeReference) -> Bool {
        guard node.isCluster else { return isSiteDoubtful[node.number] }
        return node.number < isClusterDoubtful.count && isClusterDoubtful[node.number]
    }

    /// What is known of each node before the pass.
    private func states(of level: Level) -> [DoubtOfPass.State] {
        var states = Array(repeating: DoubtOfPass.State.sure, count: level.count)
        let bands = level.bands
        let reach = rule == .grid ? bands.radius * 3 : bands.reach
        for index in 0..<level.count {
            let (x, y) = (level.x[index], level.y[index])
            guard !unknown.isFar(x, y, from: reach) else { continue }
            if isDoubtful(level.node[index]) {
                states[index] = .unknown
            } else if rule == .grid ? isCellCut(x, y, bands) : unknown.reaches(x, y, within: reach)
            {
                states[index] = .near
            }
        }
        return states
    }

    /// Whether a part of a grid's cell lies on unknown ground.
    private func isCellCut(_ x: Double, _ y: Double, _ bands: Bands) -> Bool {
        func span(_ coordinate: Double) -> ClosedRange<Double> {
            let cell = Double(bands.band(coordinate))
            return cell / bands.scale...min((cell + 1) / bands.scale, 1)
        }
        let slack = bands.radius * 1e-6 + 1e-15
        return !unknown.known.holds(span(x), span(y), slack: slack)
    }
}
