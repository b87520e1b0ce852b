import Geometry
import ParallelColumns

extension HierarchyBuilder {
    /// The result of clustering a part of the world.
    struct Part {
        var hierarchy: Hierarchy
        let cell: TileID
        /// How many of the roots stand in the cell; they come first.
        var ownCount: Int
        var visits: VisitHistory?
    }

    /// Clusters the known points in and around a cell. Throws a `CellFailure` if a node that stands in the cell is in doubt.
    /// - Parameter make: makes the result of the clusters.
    static func attempt<Made>(
        _ input: ClusterInput, for task: CellTask, threads: Int,
        _ make: (Part, Workers) -> Made
    ) throws -> Made {
        let part = try Workers.with(threads, expecting: 128 * input.count) {
            try build(input, for: task, workers: $0)
        }
        return Workers.with(threads, expecting: 16 * input.count) { make(part, $0) }
    }

    private static func build(
        _ input: ClusterInput, for task: CellTask, workers: Workers
    ) throws(CellFailure) -> Part {
        var builder = HierarchyBuilder(input, workers: workers)
        builder.doubt = Doubt(task, input.options, siteCount: builder.hierarchy.sites.count)
        builder.begin()
        if builder.reranks { builder.visits = VisitHistory(builder.hierarchy) }
        for zoom in input.options.zooms.reversed() {
            builder.cluster(zoom)
            if let failure = builder.doubt?.failure { throw failure }
        }
        return builder.part(of: task.cell)
    }

    /// The zoom of the curve that orders a cell's roots, so that neighbours on the ground are neighbours in its
    /// file.
    private static let curveZoom: UInt8 = 24

    /// All nodes as roots: first those that stand in the cell, in their order along the Hilbert curve.
    private mutating func part(of cell: TileID) -> Part {
        var own: [(distance: UInt64, node: NodeReference)] = []
        var others: [NodeReference] = []
        for index in 0..<level.count {
            let node = level.node[index]
            let position =
                node.isCluster
                ? WorldPoint(x: hierarchy.x[node.number], y: hierarchy.y[node.number])
                : WorldPoint(x: level.x[index], y: level.y[index])
            if TileID(holding: position, zoom: cell.z) == cell {
                precondition(
                    doubt?.isDoubtful(node) != true,
                    "a node in the cell is in doubt: Doubt has the wrong rule for it")
                let place = TileID(holding: position, zoom: Self.curveZoom)
                own.append((Hilbert.distance(x: place.x, y: place.y, order: place.z), node))
            } else {
                others.append(node)
            }
        }
        // Swift's sort is stable, so nodes at one place keep their order.
        own.sort { $0.distance < $1.distance }
        for (_, node) in own { hierarchy.roots.append(node) }
        for node in others { hierarchy.roots.append(node) }
        return Part(hierarchy: hierarchy, cell: cell, ownCount: own.count, visits: visits)
    }

    /// Replaces the points that stand for clusters of a frontier by these clusters.
    mutating func adopt(_ given: GivenClusters, _ workers: Workers) {
        for index in 0..<level.count {
            let point = hierarchy.sites.points[
                hierarchy.sites.range(of: level.node[index].number).lowerBound]
            guard let cluster = given.cluster(of: point) else { continue }
            level.node[index] = .cluster(hierarchy.count)
            hierarchy.append(
                cluster, at: point, isRepresentative: choice != nil,
                weighted: level.weight != nil)
            level.points[index] = cluster.points
            level.weight?[index] = cluster.weight
            level.siteCounts?[index] = cluster.sites
            guard algorithm.movesNodes else { continue }
            level.x[index] = cluster.x
            level.y[index] = cluster.y
        }
        hierarchy.endZoom()
        level = level.sorted(by: level.bands, into: otherArena, workers: workers)
        swap(&levelArena, &otherArena)
    }
}
