import ArchiveContract
import Clustering
import Geometry
import Points
import Recipes

/// Some nodes of one layer, with all that drawing them takes.
struct CellNodes: Sendable {
    /// The number of each leaf.
    var leafNumbers = Column<UInt32>()
    var nodes = LooseNodes()
    /// A row for each leaf, and a record for each cluster.
    var points: PointTable
    var records: AttributeTable

    init(keys: AttributeKeys) {
        points = PointTable(keys: keys)
        records = AttributeTable(keys: keys)
    }

    init(
        leafNumbers: Column<UInt32>, nodes: LooseNodes, points: PointTable,
        records: AttributeTable
    ) {
        self.leafNumbers = leafNumbers
        self.nodes = nodes
        self.points = points
        self.records = records
    }

    mutating func append(_ other: CellNodes) {
        leafNumbers.append(contentsOf: other.leafNumbers.span)
        nodes.append(other.nodes)
        points.append(other.points)
        records.append(other.records)
    }

    /// Some of these leaves and clusters.
    func selecting(leaves: [UInt32], clusters: [UInt32]) -> CellNodes {
        var selection = CellNodes(keys: records.keys)
        for leaf in leaves {
            selection.leafNumbers.append(leafNumbers[Int(leaf)])
            selection.nodes.leafParentZooms.append(nodes.leafParentZooms[Int(leaf)])
        }
        selection.points.append(PointBatch(leaves.span, of: points))
        for index in clusters {
            let cluster = Int(index)
            selection.nodes.append(cluster, of: nodes)
            selection.records.append(record: cluster, of: records)
        }
        return selection
    }

    /// A layer that can be drawn.
    /// - Parameters:
    ///   - firstLeaf: the number from which those of leaves count.
    ///   - firstNumber: how many leaves of other layers are drawn before.
    func drawn(
        as layer: Recipe.Layer, firstLeaf: Int, firstNumber: Int
    ) -> DrawnLayer {
        DrawnLayer(
            name: layer.name, table: points, tree: ClusterTree(drawing: nodes, attributes: records),
            attributes: TilesetBuild.attributes(of: layer),
            countLetters: layer.clusters?.countLetters ?? .small, extras: .none,
            firstLeaf: firstLeaf, firstNumber: firstNumber, leafNumbers: leafNumbers)
    }
}

extension LooseNodes {
    mutating func append(_ other: LooseNodes) {
        leafParentZooms.append(contentsOf: other.leafParentZooms.span)
        firsts.append(contentsOf: other.firsts.span)
        leaves.append(contentsOf: other.leaves.span)
        zooms.append(contentsOf: other.zooms.span)
        parentZooms.append(contentsOf: other.parentZooms.span)
        xs.append(contentsOf: other.xs.span)
        ys.append(contentsOf: other.ys.span)
        weights.append(contentsOf: other.weights.span)
    }

    /// Appends a cluster of others.
    mutating func append(_ cluster: Int, of other: LooseNodes) {
        firsts.append(other.firsts[cluster])
        leaves.append(other.leaves[cluster])
        zooms.append(other.zooms[cluster])
        parentZooms.append(other.parentZooms[cluster])
        xs.append(other.xs[cluster])
        ys.append(other.ys[cluster])
        if !other.weights.isEmpty { weights.append(other.weights[cluster]) }
    }

    /// The nodes of a tree.
    init(_ tree: ClusterTree) {
        self.init()
        leafParentZooms = tree.leafParentZooms
        firsts = tree.firsts
        leaves = tree.leaves
        zooms = tree.zooms
        parentZooms = tree.parentZooms
        xs = tree.xs
        ys = tree.ys
        weights = tree.weights ?? Column()
    }
}

extension BlockSink {
    mutating func write(_ nodes: CellNodes) {
        write(nodes.leafNumbers)
        write(nodes.nodes)
        write(nodes.points)
        write(nodes.records)
    }
}

extension BlockSource {
    mutating func cellNodes(_ keys: JobKeys) throws(Damaged) -> CellNodes {
        let nodes = CellNodes(
            leafNumbers: try column(), nodes: try nodes(), points: try points(keys),
            records: try attributes(keys))
        let leaves = nodes.points.count
        guard nodes.leafNumbers.count == leaves, nodes.nodes.leafParentZooms.count == leaves,
            nodes.records.count == nodes.nodes.firsts.count
        else { throw Damaged() }
        return nodes
    }
}
