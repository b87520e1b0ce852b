import ArchiveContract
import TileArchive

/// A layer of one of the archives that are joined, whose clusters can be asked about, and where its
/// leaves come to lie.
struct JoinUnit: Sendable {
    /// Which of the archives it is in.
    let source: Int
    let layer: ClusterDescription.Layer
    /// How its archive numbers its clusters.
    let ids: ClusterIDs
    /// How its archive cuts its leaves into blocks.
    let layout: LeafBlockLayout
    /// How far its leaf numbers move.
    let shift: Int64

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
            parent: record.parent.map(moved))
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
                for layer in description.layers where layer.name == name {
                    units.append(
                        JoinUnit(
                            source: source, layer: layer, ids: description.ids,
                            layout: description.blockLayout,
                            shift: next - layer.leaves.lowerBound))
                    next += layer.leaves.upperBound - layer.leaves.lowerBound
                }
            }
        }
        self.units = units
        let base = max(ClusterKey.step, described.compactMap { $0?.ids.base }.max() ?? 0)
        mayEqualPointIDs = base + ClusterKey.bound(leaf: next, zoom: 0) >= ClusterIDs.limit
        guard let first = described.compactMap(\.self).first,
            let ids = ClusterIDs(base: mayEqualPointIDs ? ClusterKey.step : base)
        else {
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
        guard let ids = description?.ids else { return { _ in nil } }
        return { id in
            for unit in own {
                guard let key = unit.ids.key(of: id), unit.layer.leaves.contains(key.firstLeaf)
                else { continue }
                return ids.id(of: unit.moved(key))
            }
            return nil
        }
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
        units.allSatisfy { unit in
            unit.source != source || unit.shift == 0 && unit.ids.base == description?.ids.base
        }
    }
}
