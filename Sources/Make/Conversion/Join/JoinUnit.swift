import ArchiveContract
import TileArchive

/// A layer of one of the archives that are joined, whose clusters can be asked about, and where its
/// leaves come to lie.
struct JoinUnit: Sendable {
    /// Which of the archives it is in.
    let source: Int
    let layer: ClusterDescription.Layer
    /// Which layer of its archive it is.
    let number: Int
    /// How its archive names its clusters.
    let ids: ClusterIDs
    /// How its archive cuts its leaves into blocks.
    let layout: LeafBlockLayout
    /// How far its leaf numbers move.
    let shift: Int64
    /// How far the ids of its clusters move.
    private(set) var idShift: Int64 = 0

    /// The numbers of its leaves among all.
    var leaves: Range<Int64> {
        (layer.leaves.lowerBound + shift)..<(layer.leaves.upperBound + shift)
    }

    func moved(_ key: ClusterKey) -> ClusterKey {
        ClusterKey(firstLeaf: key.firstLeaf + shift, zoom: key.zoom)
    }

    func moved(_ record: ClusterRecord) -> ClusterRecord {
        ClusterRecord(
            key: moved(record.key), leafCount: record.leafCount, position: record.position,
            parent: record.parent.map(moved), shift: record.shift)
    }

    /// Whether an id of its archive is that of a cluster of it.
    func holds(_ id: Int64) -> Bool {
        guard ids != .placed else { return PlaceID(id)?.layer == number }
        return ids.key(of: id).map { layer.leaves.contains($0.firstLeaf) } ?? false
    }

    /// Says how the joined archive names clusters, and which layer of it this is.
    fileprivate mutating func move(to number: Int, _ joined: ClusterIDs) {
        switch (ids, joined) {
        case (.counted(let base), .counted(let joinedBase)):
            idShift = joinedBase - base + ClusterKey.bound(leaf: shift, zoom: 0)
        default:
            let layers = [self.number, number].map {
                PlaceID(layer: $0, place: 0, zoom: 0).number
            }
            idShift = layers[1] - layers[0]
        }
    }
}

/// The layers of all archives in the order of their leaves: those of one name follow one another,
/// as a tile and a block have each layer once.
struct JoinPlan: Sendable {
    let units: [JoinUnit]
    let description: ClusterDescription?
    /// Whether no room was left above the ids of points.
    let mayEqualPointIDs: Bool

    init(_ archives: [Archive]) {
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
                            source: source, layer: layer, number: number, ids: description.ids,
                            layout: description.blockLayout,
                            shift: next - layer.leaves.lowerBound))
                    next += layer.leaves.upperBound - layer.leaves.lowerBound
                }
            }
        }
        let ids: ClusterIDs
        (ids, mayEqualPointIDs) = Self.ids(of: units, leafCount: next)
        for index in units.indices { units[index].move(to: index, ids) }
        self.units = units
        guard let first = described.compactMap(\.self).first else {
            description = nil
            return
        }
        let extents = Set(described.compactMap { $0?.extent })
        var joined = ClusterDescription(
            layers: units.map { unit in
                var layer = unit.layer
                layer.leaves = unit.leaves
                return layer
            }, buffer: first.buffer, extent: extents.count == 1 ? extents.first : nil, ids: ids)
        joined.blockLayout = units.map(\.layout).min() ?? .usual
        description = joined
    }

    /// How clusters are named, and whether points may share their names.
    private static func ids(
        of units: [JoinUnit], leafCount: Int64
    ) -> (ClusterIDs, mayEqualPointIDs: Bool) {
        let bases = units.compactMap { unit in
            if case .counted(let base) = unit.ids { base } else { nil }
        }
        guard let greatest = bases.max() else { return (.placed, false) }
        let base = max(ClusterKey.step, greatest)
        let isFull = base + ClusterKey.bound(leaf: leafCount, zoom: 0) >= ClusterIDs.limit
        return (.counted(base: isFull ? ClusterKey.step : base), isFull)
    }

    /// How all leaves are cut into blocks: as small as the heaviest of them ask for.
    var layout: LeafBlockLayout { description?.blockLayout ?? .usual }

    /// The part of a range of leaves, numbered as among all, that each layer has.
    func parts(of leaves: Range<Int64>) -> [(unit: JoinUnit, leaves: Range<Int64>)] {
        units.compactMap { unit in
            let own = leaves.clamped(to: unit.leaves)
            return own.isEmpty ? nil : (unit, own)
        }
    }

    func unit(ofLeaf leaf: Int64) -> JoinUnit? { units.first { $0.leaves.contains(leaf) } }

    /// How far the ids of clusters move in a layer of one of the archives; nil where they are not
    /// known to be Covey's.
    func change(ofIDsIn layer: String, of source: Int) -> (Int64) -> Int64? {
        let own = units.filter { $0.source == source && $0.layer.name == layer }
        return { id in own.first { $0.holds(id) }.map { id + $0.idShift } }
    }

    /// Whether clusters of a layer name the cluster that they go into.
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
