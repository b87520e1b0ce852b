import Geometry
import Points

extension CellPiece {
    /// The same points under fewer clusters, as in `ClusterTree.holding`. What is handed up stays, but for
    /// the zoom at which it comes apart and for how many clusters there are below it.
    /// - Parameter zoom: not above the cut for a cluster that is handed up.
    public func holding(cutZoom: Int, through zoom: (Int) -> Int8?) -> CellPiece {
        let held = tree(cutZoom: cutZoom).holding(through: zoom)
        var roots = roots
        var nodes = nodes
        var (next, cluster) = (0, 0)
        for index in roots.indices where !roots[index].clusters.isEmpty {
            let start = next
            repeat {
                next += 1
            } while next < held.clusterCount
                && held.parents[next] != ClusterTree.noParent
            roots[index].clusters = start..<next
            nodes.clusters[cluster].zoom = UInt8(held.zooms[start])
            nodes.clusters[cluster].clusters = UInt32(next - start)
            cluster += 1
        }
        // Points that stand for themselves have none, wherever they come between.
        var last = 0
        for index in roots.indices {
            if roots[index].clusters.isEmpty { roots[index].clusters = last..<last }
            last = roots[index].clusters.upperBound
        }
        return CellPiece(
            columns: held.columns, attributes: held.attributes, roots: roots, skipped: skipped,
            nodes: nodes, loadedCount: loadedCount)
    }
}

extension CellTask {
    /// Whether all of a tile, and a little around it, is known.
    public func knows(_ tile: TileID, wraps: Bool) -> Bool {
        let (origin, width) = (tile.origin, tile.width)
        return known(wraps: wraps).holds(
            origin.x...origin.x + width, origin.y...origin.y + width, slack: width / 1_024)
    }
}
