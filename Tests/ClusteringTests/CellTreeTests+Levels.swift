import Geometry
import Points
import Testing

@testable import Clustering

extension CellTreeTests {
    /// The clusters of a tree over nodes that were handed up.
    static func lines(
        _ top: TopTree, where isWanted: (TopTree.Cluster) -> Bool = { _ in true }
    ) -> [String] {
        top.clusters.enumerated().filter { isWanted($1) }.map { index, cluster in
            line(
                Int(cluster.zoom), cluster.x, cluster.y, "\(cluster.points)", top.attributes, index)
        }
    }

    /// What squares hand up over what cells did, with the clusters between them.
    static func uppers(
        _ nodes: Frontier, cutAt zoom: Int, to cutZoom: Int, _ options: ClusterOptions
    ) throws -> (nodes: Frontier, lines: [String]) {
        var passLimit = 1
        again: while true {
            var frontier = Frontier(keys: nodes.points.attributes.keys)
            var lines: [String] = []
            for cell in Self.cells {
                var task = CellTask(
                    cell: cell, cutZoom: cutZoom, reach: 0.01, margin: 0.02, passLimit: passLimit)
                var upper: UpperTree?
                while upper == nil {
                    do {
                        upper = try UpperTree.attempt(
                            of: Self.known(nodes, to: task, options), cutAt: zoom, group: nil, task,
                            options: options, threads: 1)
                    } catch CellFailure.marginTooNarrow {
                        task = task.widened
                    } catch CellFailure.tooManyPasses {
                        passLimit *= 2
                        continue again
                    }
                }
                guard let upper else { continue }
                frontier.append(upper.nodes)
                lines += Self.lines(upper.tree) { upper.root(ofLeaf: $0.place.leaf) != nil }
            }
            return (frontier, lines)
        }
    }

    private static func known(
        _ nodes: Frontier, to task: CellTask, _ options: ClusterOptions
    ) -> Frontier {
        var places = (0..<nodes.points.count).map { nodes.points.position(of: $0) }
        for cluster in nodes.clusters {
            places[Int(cluster.row)] = WorldPoint(x: cluster.x, y: cluster.y)
        }
        let ground = task.known(wraps: options.wrap)
        return nodes.selecting(
            places.indices.filter { ground.contains(places[$0].x, places[$0].y) }
                .map { UInt32($0) }
        ).nodes
    }
}
