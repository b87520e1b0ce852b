import ArchiveContract
import TileArchive

/// How a Covey archive says it was made: the `covey` row of its metadata.
package struct CoveyFacts: Sendable {
    /// The description itself.
    let description: ClusterDescription
    /// The conventions for reading layers of tiles.
    var conventions: TileConventions

    package init(_ description: ClusterDescription) {
        self.description = description
        conventions = TileConventions(description)
    }

    var layers: [ClusterDescription.Layer] { description.layers }

    /// Whether the deepest tiles show every point by itself, so that they reach as far as the points do.
    func showAllPoints(within metadata: ArchiveMetadata) -> Bool {
        let deepest = metadata.maxZoom.map(Int.init) ?? 31
        return layers.allSatisfy { $0.lastClusterZoom < deepest }
    }

    /// Whether the tiles show every point and every cluster.
    func showAll(within metadata: ArchiveMetadata) -> Bool {
        let least = metadata.minZoom.map(Int.init) ?? 0
        return showAllPoints(within: metadata)
            && layers.allSatisfy { least <= $0.minZoom }
    }

    /// Whether a layer is described, or is a companion of one that is.
    func has(_ layer: String) -> Bool {
        conventions.companions[layer] != nil || layers.contains { $0.name == layer }
    }

    /// The facts that an id states: the zoom at which the cluster was formed, and the most points
    /// that it can have; these are nil if no layer can have the cluster.
    func claim(of id: Int64) -> (zoom: Int, mostLeaves: Int64?)? {
        let leaves = layer(ofCluster: id).map { layers[$0].leaves }
        if description.ids == .placed {
            return PlaceID(id).map { ($0.zoom, leaves.map { Int64($0.count) }) }
        }
        return description.ids.key(of: id).map { key in
            (Int(key.zoom), leaves.map { $0.upperBound - key.firstLeaf })
        }
    }

    /// The layer that a cluster is in by its id; nil if no layer can have it.
    func layer(ofCluster id: Int64) -> Int? {
        guard description.ids == .placed else {
            return description.ids.key(of: id).flatMap { index(ofLeaf: $0.firstLeaf) }
        }
        return PlaceID(id).map(\.layer).flatMap { layers.indices.contains($0) ? $0 : nil }
    }

    func index(ofLeaf leaf: Int64) -> Int? {
        layers.firstIndex { $0.leaves.contains(leaf) }
    }

    /// Whether no two nodes of a level of a layer lie within the radius.
    func keepsSpacing(_ layer: ClusterDescription.Layer) -> Bool {
        // Layers of joined archives that share a name were clustered separately.
        layer.clustering?.algorithm == "spaced" && layer.clustering?.mayCrowd == false
            && layer.maxZoom >= layer.minZoom && layers.count { $0.name == layer.name } == 1
    }

    /// The number of points in a layer; nil if that is unknown.
    func points(inLayer name: String) -> Int? {
        if description.isPart { return nil }
        let ranges = layers.filter { $0.name == name }.map(\.leaves)
        return ranges.isEmpty ? nil : ranges.reduce(0) { $0 + $1.count }
    }
}

extension ClusterDescription.Layer {
    /// The zooms at which clusters form.
    var clusterZooms: ClosedRange<Int> { minZoom...max(minZoom, maxZoom) }
    /// The deepest zoom of clusters, also of those that were kept where tiles would be too full.
    var lastClusterZoom: Int { max(minZoom, clustering?.heldMaxZoom ?? maxZoom) }
}

extension ClusterDescription.Clustering {
    /// Whether the options allow nodes to stay apart within the radius.
    fileprivate var mayCrowd: Bool {
        minPoints > 2 || minUniqueLocations > 1 || groups > 1 || keepCoincident
    }
}
