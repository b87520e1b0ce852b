import ParallelColumns

/// The order in which points are visited.
enum Ranking {
    /// A rank for each point; points at one site with one weight share a stretch of ranks, in
    /// which their order means nothing.
    static func ranks(of input: ClusterInput, workers: Workers) -> SharedColumn<UInt32> {
        let ranks = SharedColumn<UInt32>(count: input.count, in: workers.scratch)
        workers.stage { workers in
            let order = order(of: input, workers)
            workers.forEachRange(of: input.count) { range in
                if let order {
                    for rank in range { ranks[order[rank].item] = UInt32(truncatingIfNeeded: rank) }
                } else {
                    for rank in range { ranks[rank] = UInt32(truncatingIfNeeded: rank) }
                }
            }
        }
        return ranks
    }

    /// The points in the order of their ranks; nil if that is the order of the input.
    private static func order(
        of input: ClusterInput, _ workers: Workers
    ) -> SharedColumn<SortEntry>? {
        if let visits = input.given?.visits, !visits.isEmpty {
            return order(by: visits, input.count, workers)
        }
        return input.options.order == .stable ? stableOrder(of: input, workers) : nil
    }

    /// The order of nodes of cells in which refused nodes have another order than their points.
    private static func order(
        by visits: VisitKeys, _ count: Int, _ workers: Workers
    ) -> SharedColumn<SortEntry> {
        let sorted = RadixSort.order(of: count, bits: 64, workers: workers) { visits.head($0) }
        sorted.sortTies(workers) { visits.precedes(Int($0), Int($1)) }
        return sorted
    }

    private static func stableOrder(
        of input: ClusterInput, _ workers: Workers
    ) -> SharedColumn<SortEntry> {
        // The upper bits tell most positions apart; the rest is sorted by comparison.
        let mixed = RadixSort.order(of: input.count, from: 31, bits: 64, workers: workers) {
            mix(input.x[$0], input.y[$0])
        }
        mixed.sortTies(workers, ignoring: 31) { first, second in
            let positions = (
                first: (input.x[first.item], input.y[first.item]),
                second: (input.x[second.item], input.y[second.item])
            )
            return first.key != second.key
                ? first.key < second.key : positions.first < positions.second
        }
        guard input.options.weighted, input.table.weights != nil else { return mixed }
        workers.forEachRange(of: mixed.count) { range in
            for index in range {
                // The bits of numbers that are not negative sort as the numbers do.
                mixed[index].key = ~(input.weight(mixed[index].item) + 0).bitPattern
            }
        }
        return RadixSort.sorted(mixed, bits: 64, workers: workers)
    }

    /// Scatters a position over 64 bits, so that ranks do not depend on where points lie.
    static func mix(_ x: Double, _ y: Double) -> UInt64 {
        var z = x.bitPattern &* 0x9E37_79B9_7F4A_7C15
        z ^= z >> 32
        z = (z &+ y.bitPattern) &* 0xD6E8_FEB8_6659_FD93
        z ^= z >> 32
        z = z &* 0xD6E8_FEB8_6659_FD93
        return z ^ (z >> 32)
    }
}
