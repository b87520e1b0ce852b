import ArchiveContract
import ParallelColumns

extension DrawnLayer {
    /// The weights that its leaves have in blocks.
    func weights(threads: Int) -> LeafWeightSums {
        var sums = LeafWeightSums()
        Workers.with(threads, expecting: 0) { workers in
            for weights in workers.map(workers.cut(tree.leafCount), weights) {
                sums.append(weights)
            }
        }
        return sums
    }

    private func weights(of leaves: Range<Int>) -> [Int] {
        leaves.map { leaf in
            table.attributes.withRecord(of: Int(leafRows[leaf])) { LeafWeight.weight($0.size) }
        }
    }
}
