import Clustering
import ParallelColumns
import Points

/// A sum for each drawn node over all that its features say. Two versions of a tile that show nodes
/// of the same sums, in the same order, have the same bytes.
struct NodeSums: Sendable {
    private var sums: Column<UInt64>

    init(of drawn: DrawnLayers, threads: Int) {
        let names = drawn.keyNames.map(ByteSum.of)
        // Each element is set below, by one of the workers.
        sums = unsafe Column<UInt64>(uninitialized: drawn.drawnCount)
        let target = SharedColumn(filling: &sums)
        Workers.with(threads, expecting: 0) { workers in
            let pieces = workers.cut(target.count)
            workers.forEach(pieces.count) { piece in
                for number in pieces[piece] {
                    target[number] = drawn.sum(of: UInt32(number), names)
                }
            }
        }
    }

    /// The sum of a tile.
    func sum(of placed: [TileEncoder.PlacedNode], _ nodes: TileNodes) -> UInt64 {
        placed.reduce(UInt64(placed.count)) { sum, node in
            let place = UInt64(nodes.xs[node.row]) << 32 | UInt64(nodes.ys[node.row])
            return PointsSum.mixed(PointsSum.mixed(sum, sums[Int(node.number)]), place)
        }
    }
}

extension DrawnLayers {
    fileprivate func sum(of number: UInt32, _ names: [UInt64]) -> UInt64 {
        switch node(number) {
        case .leaf(let layer, let leaf):
            layers[layer].sum(ofLeaf: leaf, names, UInt64(layer))
        case .cluster(let layer, let cluster):
            layers[layer].sum(ofCluster: cluster, names, UInt64(layer))
        case .heat(let layer, let member):
            PointsSum.mixed(UInt64(layer), UInt64(layers[layer].points(of: member)))
        case .leg(let layer, let leaf):
            // A leg's sum must differ from that of its point, which has the same place.
            PointsSum.mixed(layers[layer].sum(ofLeaf: leaf, names, UInt64(layer)), 1)
        case .bin: preconditionFailure("bins count points of more than one cell")
        }
    }
}

extension DrawnLayer {
    fileprivate func sum(ofLeaf leaf: Int, _ names: [UInt64], _ start: UInt64) -> UInt64 {
        let row = Int(leafRows[leaf])
        let place = table.position(of: row)
        var sum = PointsSum.mixed(start, place.x.bitPattern)
        sum = PointsSum.mixed(sum, place.y.bitPattern)
        if let drawn = spread?.position(ofLeaf: leaf) {
            sum = PointsSum.mixed(PointsSum.mixed(sum, drawn.x.bitPattern), drawn.y.bitPattern)
        }
        return table.attributes.withRecord(of: row) { record in
            PointsSum.mixed(
                PointsSum.mixed(sum, table.ids?[row] ?? PointTable.noID),
                record.sum(names))
        }
    }

    fileprivate func sum(ofCluster cluster: Int, _ names: [UInt64], _ start: UInt64) -> UInt64 {
        var sum = PointsSum.mixed(start, UInt64(bitPattern: ids[cluster]))
        sum = PointsSum.mixed(sum, UInt64(leaves[cluster]) << 8 | UInt64(UInt8(zooms[cluster])))
        sum = PointsSum.mixed(sum, tree.weights?[cluster].bitPattern ?? 0)
        if !boxes.isEmpty {
            let box = boxes[cluster]
            for edge in [box.minX, box.minY, box.maxX, box.maxY] {
                sum = PointsSum.mixed(sum, edge.bitPattern)
            }
        }
        if attributes.contains(.uniqueLocation) {
            sum = PointsSum.mixed(sum, isOneSite(cluster) ? 1 : 0)
        }
        return tree.attributes.withRecord(of: cluster) {
            PointsSum.mixed(sum, $0.sum(names))
        }
    }
}
