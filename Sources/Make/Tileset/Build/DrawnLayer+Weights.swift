import ArchiveContract
import Pipelines
import Points

extension DrawnLayer {
    /// What its leaves weigh in blocks.
    func weights(threads: Int) throws -> LeafWeightSums {
        var sums = LeafWeightSums()
        let pieces = PieceCounter(total: tree.leafCount, size: 1 << 14)
        try OrderedPipeline(threads: threads).run(
            next: { pieces.next() }, state: {},
            work: { _, piece in
                piece.map { leaf in
                    self.table.attributes.withRecord(of: Int(self.leafRows[leaf])) {
                        LeafWeight.weight($0.size)
                    }
                }
            },
            consume: { sums.append($0) })
        return sums
    }
}
