import Synchronization

/// The ledgers of what tiles show. All workers post into the same ones: sums do not depend on the order.
final class TileLedgers: Sendable {
    struct Sums: Sendable {
        var copies = Ledger(buckets: Int(CopyCheck.buckets))
        var drawn = Ledger(buckets: DrawnLedger.buckets)
        var positions = PositionLedger(buckets: DrawnLedger.buckets)
    }

    /// Entries that a worker has not posted yet.
    struct Waiting: Sendable {
        var copies: [Ledger.Entry] = []
        var drawn: [Ledger.Entry] = []
        var positions: [PositionLedger.Entry] = []

        /// Whether there are enough to lock the ledgers for, however many nodes a tile has.
        var areMany: Bool { drawn.count >= 4_096 || copies.count >= 4_096 }
    }

    private let state = Mutex(Sums())

    var sums: Sums { state.withLock { $0 } }

    func post(_ waiting: inout Waiting) {
        state.withLock { sums in
            sums.copies.post(waiting.copies)
            sums.drawn.post(waiting.drawn)
            for entry in waiting.positions { sums.positions.find(entry) }
        }
        waiting.copies.removeAll(keepingCapacity: true)
        waiting.drawn.removeAll(keepingCapacity: true)
        waiting.positions.removeAll(keepingCapacity: true)
    }
}
