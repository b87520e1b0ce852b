import ParallelColumns

/// The keys of the order of visits, where refused nodes come after the node that had gathered them. A key is a
/// value of the node itself, the same in any cell, while ranks count only the nodes that one cell knows.
///
/// A node that was never gathered and refused sorts by the *place* of its first point: the zoom from which that
/// takes part, its weight, its mix, its position. A node that was gathered at zoom z sorts by the history of its
/// owner, z, and its own history. Written one after another, these sort byte by byte as the nodes do. If two
/// nodes continue one history, the one with nothing more comes first; then that of the later pass, which moved it
/// up to its owner when the other was behind already; then what follows decides.
///
/// A node that the same owner gathers pass after pass would repeat its owner's history each time, so one byte
/// stands for it. That byte sorts before all others, as it must: no node that was gathered comes before its
/// owner.
struct VisitHistory: Sendable {
    private struct Step {
        var zoom: UInt8
        var owner: UInt32
        var own: UInt32
    }

    /// The history of each site and of each cluster: the number of a site, or, above those, of a step.
    private var sites: [UInt32]
    private var clusters: [UInt32] = []
    private var steps: [Step] = []

    /// - Parameter hierarchy: with clusters of one site each, or none.
    init(_ hierarchy: Hierarchy) {
        sites = Array(0..<UInt32(hierarchy.sites.count))
        for cluster in 0..<hierarchy.count {
            let site = hierarchy.children[hierarchy.childRange(of: cluster).lowerBound]
            clusters.append(UInt32(site.number))
        }
    }

    private func history(of node: NodeReference) -> UInt32 {
        node.isCluster ? clusters[node.number] : sites[node.number]
    }

    /// Accounts for a pass.
    mutating func follow(_ formation: ClusterFormation, _ formed: FormedClusters, zoom: Int) {
        let level = formation.level
        let owner = formation.assignment.owner
        // A cluster continues the history of its seed.
        for index in 0..<formed.count {
            guard let seed = formed.seeds?[index] else { continue }
            clusters.append(history(of: level.node[Int(seed)]))
        }
        // A node that gathered others was not gathered itself, so no owner's history changes here.
        for index in 0..<level.count where formation.survives(index) {
            let seed = Int(owner[index])
            guard seed != index else { continue }
            let node = level.node[index]
            let number = UInt32(sites.count + steps.count)
            steps.append(
                Step(
                    zoom: UInt8(zoom), owner: history(of: level.node[seed]),
                    own: history(of: node)))
            if node.isCluster {
                clusters[node.number] = number
            } else {
                sites[node.number] = number
            }
        }
    }

    private static let sameAgain: UInt8 = 0
    private static let place: UInt8 = 1

    /// A key for each point of the given sites, and for each of the given clusters.
    func keys(
        of nodes: [NodeReference], in hierarchy: Hierarchy, _ input: ClusterInput
    ) -> VisitKeys {
        var keys = VisitKeys()
        for node in nodes {
            let key = bytes(of: history(of: node), hierarchy.sites, input)
            let count = node.isCluster ? 1 : hierarchy.sites.range(of: node.number).count
            for _ in 0..<count { keys.append(key) }
        }
        return keys
    }

    private func bytes(
        of history: UInt32, _ sites: Sites, _ input: ClusterInput
    ) -> [UInt8] {
        guard Int(history) >= self.sites.count else {
            return Self.bytes(ofSite: Int(history), sites, input)
        }
        let step = steps[Int(history) - self.sites.count]
        let owner = bytes(of: step.owner, sites, input)
        let own = bytes(of: step.own, sites, input)
        let isAgain = own.count > owner.count && own.starts(with: owner)
        return owner + [step.zoom]
            + (isAgain ? [Self.sameAgain] + own.dropFirst(owner.count) : own[...])
    }

    private static func bytes(
        ofSite site: Int, _ sites: Sites, _ input: ClusterInput
    ) -> [UInt8] {
        // The first of a site has the lowest rank.
        let point = sites.points[sites.range(of: site).lowerBound]
        let (x, y) = (input.x[point], input.y[point])
        let zooms = input.entryZooms
        let first = zooms.map { min($0[input.row(point)], input.options.maxZoom) }
        var bytes = [place, UInt8(ClusterOptions.deepestZoom - (first ?? input.options.maxZoom))]
        func append(_ number: UInt64) {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: number >> shift))
            }
        }
        // The bits of numbers that are not negative sort as the numbers do.
        if input.options.weighted { append(~(input.weight(point) + 0).bitPattern) }
        append(Ranking.mix(x, y))
        append(x.bitPattern)
        append(y.bitPattern)
        return bytes
    }
}
