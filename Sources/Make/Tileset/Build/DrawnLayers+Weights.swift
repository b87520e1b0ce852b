import ArchiveContract
import Pipelines
import Points

extension DrawnLayers {
    /// How many leaves a block of each layer may have, after what they carry.
    func blockLayouts(threads: Int) throws -> [LeafBlockLayout] {
        try layers.map { try $0.weights(threads: threads).layout }
    }
}

extension DrawnLayer {
    fileprivate func weights(threads: Int) throws -> LeafWeights {
        var weights = LeafWeights(leafCount: 0)
        let pieces = PieceCounter(total: tree.leafCount, size: LeafWeights.step << 10)
        try OrderedPipeline(threads: threads).run(
            next: { pieces.next() }, state: {},
            work: { _, piece in
                var own = LeafWeights(leafCount: piece.count)
                for leaf in piece {
                    own.add(self.weight(ofLeaf: leaf), ofLeaf: leaf - piece.lowerBound)
                }
                return own
            },
            consume: { weights.append($0) })
        return weights
    }

    func weight(ofLeaf leaf: Int) -> Int { table.weight(of: Int(leafRows[leaf])) }
}

extension PointTable {
    /// What a point weighs in a block.
    func weight(of row: Int) -> Int {
        attributes.withRecord(of: row) { record in
            let (values, bytes) = record.size
            return LeafWeights.weight(values: values, bytes: bytes)
        }
    }
}
