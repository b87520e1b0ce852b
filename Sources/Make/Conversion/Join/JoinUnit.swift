import ArchiveContract
import TileArchive

/// A layer of one of the joined archives whose clusters can be asked about, with the place of its
/// leaves in the new archive.
struct JoinUnit: Sendable {
    /// The index of its archive.
    let source: Int
    let layer: ClusterDescription.Layer
    /// The number of the layer in its archive.
    let number: Int
    /// The difference between its new leaf numbers and the old ones.
    let shift: Int64
    /// The difference between the new ids of its clusters and the old ones.
    private(set) var idShift: Int64 = 0

    /// The numbers of its leaves in the new archive.
    var leaves: Range<Int64> {
        (layer.leaves.lowerBound + shift)..<(layer.leaves.upperBound + shift)
    }

    /// Whether an id of its archive is that of one of its clusters.
    func holds(_ id: Int64) -> Bool { PlaceID(id)?.layer == number }

    /// Sets the number of the layer in the joined archive.
    fileprivate mutating func move(to number: Int) {
        let layers = [self.number, number].map { PlaceID(layer: $0, place: 0, zoom: 0).number }
        idShift = layers[1] - layers[0]
    }
}

/// The layers of all archives in the order of their leaves. Layers of one name follow one another,
/// as a tile and a block have each layer once.
struct JoinPlan: Sendable {
    let units: [JoinUnit]
    let description: ClusterDescription?
    /// The layers whose archives count points by different values: their texts of counts cannot be read alike.
    let mixedFacets: Set<String>
    /// The archives that are parts of others. If two have a tile, both have all of it.
    let parts: Set<Int>

    init(_ archives: [Archive]) {
        parts = Set(
            archives.indices.filter { (try? archives[$0].description?.get())?.isPart == true })
        let described = archives.map { $0.hasClusters ? try? $0.description?.get() : nil }
        var order: [String] = []
        for layer in described.flatMap({ $0?.layers ?? [] }) where !order.contains(layer.name) {
            order.append(layer.name)
        }
        var units: [JoinUnit] = []
        var next: Int64 = 0
        for name in order {
            for (source, description) in described.enumerated() {
                guard let description else { continue }
                for (number, layer) in description.layers.enumerated()
                where layer.name == name {
                    units.append(
                        JoinUnit(
                            source: source, layer: layer, number: number,
                            shift: next - layer.leaves.lowerBound))
                    next += layer.leaves.upperBound - layer.leaves.lowerBound
                }
            }
        }
        for index in units.indices { units[index].move(to: index) }
        self.units = units
        mixedFacets = Self.mixedFacets(of: units.map(\.layer))
        guard let first = described.compactMap(\.self).first else {
            description = nil
            return
        }
        let extents = Set(described.compactMap { $0?.extent })
        let mixed = mixedFacets
        description = ClusterDescription(
            layers: units.map { unit in
                var layer = unit.layer
                layer.leaves = unit.leaves
                if mixed.contains(layer.name) { layer.facets = [] }
                return layer
            }, buffer: first.buffer, extent: extents.count == 1 ? extents.first : nil, ids: .placed)
    }

    private static func mixedFacets(of layers: [ClusterDescription.Layer]) -> Set<String> {
        let mixed = layers.filter { layer in
            layers.contains { $0.name == layer.name && $0.facets != layer.facets }
        }
        return Set(mixed.map(\.name))
    }

    /// The new ids of clusters in a layer of one of the archives; nil for ids that are not known to
    /// be Covey's.
    func change(ofIDsIn layer: String, of source: Int) -> (Int64) -> Int64? {
        let own = units.filter { $0.source == source && $0.layer.name == layer }
        return { id in own.first { $0.holds(id) }.map { id + $0.idShift } }
    }

    /// Whether clusters of a layer name their parent.
    func saysParent(_ layer: String) -> Bool {
        units.contains { unit in
            let name = ClusterAttribute.parent.name
            return unit.layer.name == layer && unit.layer.carries?.contains(name) == true
                && unit.layer.clustering?.groupBy != name
        }
    }

    /// Whether all ids of clusters in an archive stay as they are.
    func keepsIDs(of source: Int) -> Bool {
        units.allSatisfy { $0.source != source || $0.idShift == 0 }
    }
}

extension Array {
    /// The elements in the order of the layers that they are of; those of other layers come last, as they came.
    func inOrder(of layers: [String], by name: (Element) -> String) -> [Element] {
        let ranks = map { layers.firstIndex(of: name($0)) ?? layers.count }
        return indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }.map { self[$0] }
    }
}
