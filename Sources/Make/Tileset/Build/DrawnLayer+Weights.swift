import ArchiveContract
import Pipelines
import Points

extension DrawnLayer {
    /// What its leaves weigh in blocks.
    func weights(threads: Int) throws -> LeafWeightSums {
        var sums = LeafWeightSums()
        // Who has one thread is at work in it: another may never begin.
        if threads == 1 {
            sums.append(weights(of: 0..<tree.leafCount))
            return sums
        }
        let pieces = PieceCounter(total: tree.leafCount, size: 1 << 14)
        try OrderedPipeline(threads: threads).run(
            next: { pieces.next() }, state: {},
            work: { _, piece in self.weights(of: piece) },
            consume: { sums.append($0) })
        return sums
    }

    private func weights(of leaves: Range<Int>) -> [Int] {
        leaves.map { leaf in
            table.attributes.withRecord(of: Int(leafRows[leaf])) { LeafWeight.weight($0.size) }
        }
    }
}
