import Geometry
import ParallelColumns

/// What a cell cannot be sure of because it knows only a part of the world.
///
/// The engine runs as if there were nothing beyond the known ground. After each pass, this finds the nodes that
/// anything out there might affect; all others are as in the whole world, bit for bit.
struct Doubt: Sendable {
    private var unknown: UnknownGround
    /// The ground on which nothing may be in doubt.
    private let box: WorldBox
    private let rule: Rule
    /// The most passes that a zoom is assumed to take anywhere in the world.
    private let passLimit: Int
    private var passes = 0
    private var isSiteDoubtful: [Bool]
    private var isClusterDoubtful: [Bool] = []
    /// Why the cell has to be run again; nil if it does not.
    private(set) var failure: CellFailure?

    /// How a pass treats neighbours. `ordering` is like `gathering`, but refused nodes live on in another order.
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

    /// Accounts for a pass: which nodes it leaves in doubt, and how far that reaches.
    /// - Parameter isLast: whether it is the last pass of its zoom.
    mutating func follow(
        _ formation: ClusterFormation, _ formed: FormedClusters, isLast: Bool
    ) {
        passes += 1
        // A cell that knows the whole world is certain by itself, but the others are not.
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

    /// Accounts for a zoom at which no node is known.
    mutating func passZoom(radius: Double) {
        guard !unknown.known.isWhole else { return }
        let bands = Bands(radius: radius)
        if rule != .grid {
            for _ in 0..<passLimit { unknown.spread(by: bands.reach, around: []) }
        }
        endZoom(bands)
    }

    private mutating func endZoom(_ bands: Bands) {
        // A merge at the cell's edge must be known with all nodes that take part in it.
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
            // A node that was gathered and refused stays where it is.
            return (pass.doubtful, rule == .ordering ? pass.doubtful : pass.displaced)
        }
        var pass = DoubtOfRefusals(formation.level, formation.assignment, near, states)
        pass.run()
        return (pass.doubtful, pass.doubtful)
    }

    /// Marks the new clusters that are in doubt: those whose seed is in doubt, or was before.
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

    /// The state of each node before the pass.
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
