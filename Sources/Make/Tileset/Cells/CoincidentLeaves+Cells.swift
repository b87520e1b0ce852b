import Clustering
import Points

extension CoincidentLeaves {
    /// The shares of those nodes of a frontier that are points; above the cut, no point below a
    /// cluster is drawn.
    func ofRoots(_ piece: CellPiece) -> CoincidentLeaves {
        var roots = CoincidentLeaves()
        guard !isEmpty else { return roots }
        let (firsts, clusters) = (piece.firstLeaves, piece.nodes.clusters)
        var next = 0
        for root in 0..<firsts.count {
            if next < clusters.count, Int(clusters[next].row) == root {
                roots.append(single: 1)
                next += 1
            } else {
                roots.append(Int(firsts[root]), of: self)
            }
        }
        return roots
    }
}

extension BlockSink {
    mutating func write(_ shares: CoincidentLeaves) {
        write(shares.ordinals)
        write(shares.counts)
    }
}

extension BlockSource {
    /// The shares of some leaves, if they were written.
    mutating func shares(_ leaves: Int) throws(Damaged) -> CoincidentLeaves {
        let shares = CoincidentLeaves(ordinals: try column(), counts: try column())
        guard [0, leaves].contains(shares.count), shares.ordinals.count == shares.count,
            (0..<shares.count).allSatisfy({ shares.ordinals[$0] < shares.counts[$0] })
        else { throw Damaged() }
        return shares
    }
}
