import ArchiveContract
import TileArchive

/// How a Covey archive says it was made: the `covey` row of its metadata.
package struct CoveyFacts: Sendable {
    /// A hierarchy of clusters; a layer that is clustered by groups has several.
    struct HierarchyFacts: Sendable {
        var layer: String
        /// The numbers of its leaves.
        var leaves: Range<Int64>
        /// The number of clusters that the archive states.
        var clusterCount: Int64?
        /// The zooms at which clusters form.
        var clusterZooms: ClosedRange<Int>
        /// The deepest zoom of clusters that were kept where tiles would be too full.
        var heldMaxZoom: Int
        /// The value that the archive states for it, and the deepest zoom of clusters that it
        /// states; nil if the layer is not clustered.
        var said: (heldMaxZoom: Int?, maxZoom: Int)?
        var radius: RadiusByZoom?
        /// Whether no two nodes of a level lie within the radius.
        var keepsSpacing: Bool
        var wraps: Bool
        /// The deepest zoom of its heat layer.
        var heatMaxZoom: Int?
    }

    var hierarchies: [HierarchyFacts]
    /// The description itself.
    let description: ClusterDescription
    /// The conventions for reading layers of tiles.
    var conventions: TileConventions

    package init(_ description: ClusterDescription) {
        hierarchies = description.layers.map(HierarchyFacts.init)
        // Layers of joined archives that share a name were clustered separately.
        let names = hierarchies.map(\.layer)
        for index in hierarchies.indices where names.count(where: { $0 == names[index] }) > 1 {
            hierarchies[index].keepsSpacing = false
        }
        self.description = description
        conventions = TileConventions(description)
    }

    /// Whether the deepest tiles show every point by itself, so that they reach as far as the points do.
    func showAllPoints(within metadata: ArchiveMetadata) -> Bool {
        let deepest = metadata.maxZoom.map(Int.init) ?? 31
        return hierarchies.allSatisfy { $0.heldMaxZoom < deepest }
    }

    /// Whether the tiles show every point and every cluster.
    func showAll(within metadata: ArchiveMetadata) -> Bool {
        let least = metadata.minZoom.map(Int.init) ?? 0
        return showAllPoints(within: metadata)
            && hierarchies.allSatisfy { least <= $0.clusterZooms.lowerBound }
    }

    /// Whether a layer is described, or is a companion of one that is.
    func has(_ layer: String) -> Bool {
        conventions.companions[layer] != nil || hierarchies.contains { $0.layer == layer }
    }

    var leafCount: Int64 { hierarchies.reduce(0) { max($0, $1.leaves.upperBound) } }

    /// The facts that an id states: the zoom at which the cluster was formed, and the most points
    /// that it can have; these are nil if no layer can have the cluster.
    func claim(of id: Int64) -> (zoom: Int, mostLeaves: Int64?)? {
        let layer = layer(ofCluster: id).map { hierarchies[$0] }
        if description.ids == .placed {
            return PlaceID(id).map { ($0.zoom, layer.map { Int64($0.leaves.count) }) }
        }
        return description.ids.key(of: id).map { key in
            (Int(key.zoom), layer.map { $0.leaves.upperBound - key.firstLeaf })
        }
    }

    /// The layer that a cluster is in by its id; nil if no layer can have it.
    func layer(ofCluster id: Int64) -> Int? {
        guard description.ids == .placed else {
            return description.ids.key(of: id).flatMap { index(ofLeaf: $0.firstLeaf) }
        }
        return PlaceID(id).map(\.layer).flatMap { hierarchies.indices.contains($0) ? $0 : nil }
    }

    func index(ofLeaf leaf: Int64) -> Int? {
        hierarchies.firstIndex { $0.leaves.contains(leaf) }
    }

    /// The number of points in a layer.
    func points(inLayer name: String) -> Int? {
        let ranges = hierarchies.filter { $0.layer == name }.map(\.leaves)
        return ranges.isEmpty ? nil : ranges.reduce(0) { $0 + $1.count }
    }
}

extension CoveyFacts.HierarchyFacts {
    fileprivate init(_ layer: ClusterDescription.Layer) {
        let clustering = layer.clustering
        self.layer = layer.name
        leaves = layer.leaves
        clusterCount = layer.clusterCount
        clusterZooms = layer.minZoom...max(layer.minZoom, layer.maxZoom)
        heldMaxZoom = max(layer.minZoom, clustering?.heldMaxZoom ?? layer.maxZoom)
        said = clustering.map { ($0.heldMaxZoom, layer.maxZoom) }
        radius = clustering?.radius
        keepsSpacing =
            clustering?.algorithm == "spaced" && clustering?.mayCrowd == false
            && layer.maxZoom >= layer.minZoom
        wraps = clustering?.wrap ?? true
        heatMaxZoom = layer.heatMaxZoom
    }
}

extension ClusterDescription.Clustering {
    /// Whether the options allow nodes to stay apart within the radius.
    fileprivate var mayCrowd: Bool {
        minPoints > 2 || minUniqueLocations > 1 || groups > 1 || keepCoincident
    }
}
