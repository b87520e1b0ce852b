import Clustering
import Points

extension BlockSink {
    mutating func write(_ nodes: LooseNodes) {
        write(nodes.leafParentZooms)
        for column in [nodes.firsts, nodes.leaves] { write(counts: column) }
        for column in [nodes.zooms, nodes.parentZooms] { write(column) }
        for column in [nodes.xs, nodes.ys, nodes.weights] { write(column) }
    }
}

extension BlockSource {
    mutating func nodes() throws(Damaged) -> LooseNodes {
        var nodes = LooseNodes()
        nodes.leafParentZooms = try column()
        nodes.firsts = try counts()
        nodes.leaves = try counts()
        nodes.zooms = try column()
        nodes.parentZooms = try column()
        nodes.xs = try column()
        nodes.ys = try column()
        nodes.weights = try column()
        let count = nodes.firsts.count
        let fits =
            [nodes.leaves.count, nodes.zooms.count, nodes.parentZooms.count, nodes.xs.count]
            .allSatisfy { $0 == count }
            && nodes.ys.count == count && (nodes.weights.isEmpty || nodes.weights.count == count)
        guard fits else { throw Damaged() }
        return nodes
    }
}
