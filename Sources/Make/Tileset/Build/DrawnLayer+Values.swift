import ArchiveContract
import Geometry
import JSON

/// Computes the values that a cluster's feature carries from the clustering itself. No other code
/// does.
extension DrawnLayer {
    /// The id of a cluster's feature.
    func featureID(of cluster: Int) -> UInt64 { UInt64(ids[cluster]) }

    /// Sets `scalar` to a value of a cluster; false if the cluster has none.
    func set(
        _ scalar: inout PackedScalar, to attribute: ClusterAttribute, of cluster: Int
    ) -> Bool {
        switch attribute {
        case .cluster: scalar.set(bool: true)
        case .clusterID: scalar.set(unsigned: featureID(of: cluster))
        case .pointCount: scalar.set(unsigned: UInt64(leaves[cluster]))
        case .pointCountAbbreviated:
            scalar.set(
                shortText:
                    AbbreviatedCount(UInt64(leaves[cluster]), countLetters).text)
        case .expansionZoom: scalar.set(unsigned: UInt64(zooms[cluster]) + 1)
        case .pointWeight:
            scalar.set(number: tree.weights?[cluster] ?? Double(leaves[cluster]))
        case .sqrtPointCount:
            // Two decimals, so that clusters of similar size share one value in a tile.
            let root = Double(leaves[cluster]).squareRoot()
            scalar.set(number: (root * 100).rounded() / 100)
        case .bbox: scalar.set(shortText: boxes[cluster].lonLatBox.jsonText)
        case .uniqueLocation:
            guard isOneSite(cluster) else { return false }
            scalar.set(bool: true)
        case .parent:
            guard let parent = tree.parent(of: .cluster(cluster)) else { return false }
            scalar.set(unsigned: featureID(of: parent))
        case .parentDX, .parentDY:
            guard let way = wayToParent(of: cluster) else { return false }
            scalar.set(number: attribute == .parentDX ? way.x : way.y)
        }
        return true
    }

    /// The offset from a cluster to its parent, in whole pixels of the first zoom that draws the cluster.
    private func wayToParent(of cluster: Int) -> (x: Double, y: Double)? {
        guard let parent = tree.parent(of: .cluster(cluster)) else { return nil }
        let world = 512 * Double(UInt64(1) << UInt64(tree.zooms[parent] + 1))
        var east = tree.xs[parent] - tree.xs[cluster]
        east -= east.rounded()
        let south = tree.ys[parent] - tree.ys[cluster]
        // 0 instead of −0, which would be another value.
        return ((east * world).rounded() + 0, (south * world).rounded() + 0)
    }
}

extension LonLatBox {
    /// The box as GeoJSON's `bbox`, to 1 cm.
    fileprivate var jsonText: String {
        let edges = [west, south, east, north].map { ($0 * 1e7).rounded() / 1e7 }
        return JSONValue.array(edges.map(JSONValue.init(canonical:))).text()
    }
}
