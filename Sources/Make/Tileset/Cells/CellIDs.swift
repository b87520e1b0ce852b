import ArchiveContract
import Clustering
import Geometry
import Points
import Recipes

/// The ids of clusters that differ from those of their places, because other clusters stand near them.
///
/// A cell names the clusters that stand in its square, whichever cell they are nodes of: it is certain of all
/// of them. An id that follows from its cluster alone needs no entry, so there are few.
struct UnusualIDs: Sendable {
    /// Identifies a cluster in its hierarchy. Two clusters of one zoom with the same number of
    /// points and exactly the same position would share an id.
    fileprivate struct Cluster: Hashable {
        let unit: Int
        let zoom: Int
        let leaves: Int
        let x: UInt64
        let y: UInt64
    }

    private var ids: [Cluster: Int64] = [:]

    init() {}

    /// The ids that a square gives to the clusters that stand in it, hierarchy by hierarchy.
    init(naming standing: [[CellPiece.StandingCluster]], of job: CellJob) throws(BuildError) {
        for (index, layer) in job.recipe.layers.enumerated() {
            let units = job.units.indices.filter { job.units[$0].layer == index }
            try name(units.map { ($0, standing[$0]) }, of: layer, at: index)
        }
    }

    /// Names the clusters of a layer that stand in a cell, and keeps the unusual ids.
    /// - Parameter units: the clusters of each hierarchy, with its number.
    private mutating func name(
        _ units: [(number: Int, clusters: [CellPiece.StandingCluster])], of layer: Recipe.Layer,
        at index: Int
    ) throws(BuildError) {
        let all = units.flatMap { unit in unit.clusters.map { (unit: unit.number, cluster: $0) } }
        let usual = ClusterNames(of: layer, at: index)
        var names = usual
        for (_, cluster) in all { names.add(at: cluster.position, zoom: cluster.zoom) }
        let ids = try names.ids(ofLayer: layer.name) {
            NamingOrder(hierarchy: all[$0].unit, seed: all[$0].cluster.seed)
        }
        for ((unit, cluster), id) in zip(all, ids)
        where id != usual.usualID(at: cluster.position, zoom: cluster.zoom) {
            let key = Cluster(
                unit: unit, zoom: cluster.zoom, leaves: cluster.leaves, at: cluster.position)
            self.ids[key] = id
        }
    }

    /// The ids of some clusters of a hierarchy.
    func ids(
        of nodes: LooseNodes, unit: Int, of layer: Recipe.Layer, at index: Int
    ) -> Column<Int64> {
        let usual = ClusterNames(of: layer, at: index)
        var column = Column<Int64>(capacity: nodes.firsts.count)
        for row in 0..<nodes.firsts.count {
            let position = WorldPoint(x: nodes.xs[row], y: nodes.ys[row])
            let key = Cluster(
                unit: unit, zoom: Int(nodes.zooms[row]), leaves: nodes.leaves[row], at: position)
            column.append(
                ids[key] ?? usual.usualID(at: position, zoom: Int(nodes.zooms[row])))
        }
        return column
    }

    /// A sum over the entries of clusters that stand in a square or within a distance of it.
    func sum(around square: TileID, within distance: Double) -> UInt64 {
        let ground = KnownGround(square, margin: distance, wraps: true)
        return ids.reduce(0) { sum, entry in
            let (x, y) = (Double(bitPattern: entry.key.x), Double(bitPattern: entry.key.y))
            guard ground.contains(x, y) else { return sum }
            var sink = BlockSink()
            sink.write(entry.key, entry.value)
            return sum &+ ByteSum.of(sink.bytes.span)
        }
    }

    mutating func formUnion(_ other: UnusualIDs) {
        ids.merge(other.ids) { own, _ in own }
    }
}

extension UnusualIDs.Cluster: BlockRecord {
    static var layout: BlockLayout<Self> {
        .init(Self.init, \.unit, \.zoom, \.leaves, \.x, \.y)
    }

    fileprivate init(unit: Int, zoom: Int, leaves: Int, at position: WorldPoint) {
        self.init(
            unit: unit, zoom: zoom, leaves: leaves, x: position.x.bitPattern,
            y: position.y.bitPattern)
    }
}

extension UnusualIDs: BlockValue {
    func write(to sink: inout BlockSink) { ids.write(to: &sink) }

    init(from source: inout BlockSource) throws(BlockSource.Damaged) {
        ids = try .init(from: &source)
    }
}

extension UnusualIDs {
    /// The unusual ids of all cells.
    init(of job: CellJob) throws {
        self = try job.values(of: job.files.ids)
    }

    func write(for job: CellJob) throws { try job.write(job.files.ids, write) }
}

extension CellNodes {
    /// Sets the ids of a hierarchy's clusters.
    mutating func name(by unusual: UnusualIDs, unit: Int, of job: CellJob) {
        let layer = job.units[unit].layer
        ids = unusual.ids(of: nodes, unit: unit, of: job.recipe.layers[layer], at: layer)
    }
}

extension CellJob {
    /// The ids of the clusters above the cut, hierarchy by hierarchy.
    func ids(ofClustersIn tops: [TopTree], over frontier: [FrontierUnit]) throws -> [[Int64]] {
        var all: [[Int64]] = []
        for (index, layer) in recipe.layers.enumerated() {
            var names = ClusterNames(of: layer, at: index)
            var order: [NamingOrder] = []
            let units = self.units.indices.filter { self.units[$0].layer == index }
            for unit in units {
                let points = frontier[unit].nodes.points
                for cluster in tops[unit].clusters {
                    names.add(
                        at: WorldPoint(x: cluster.x, y: cluster.y), zoom: Int(cluster.zoom))
                    order.append(
                        NamingOrder(
                            hierarchy: unit, seed: points.position(of: Int(cluster.seed))))
                }
            }
            var ids = try names.ids(ofLayer: layer.name) { order[$0] }[...]
            for unit in units {
                all.append(Array(ids.prefix(tops[unit].clusters.count)))
                ids = ids.dropFirst(tops[unit].clusters.count)
            }
        }
        return all
    }
}
