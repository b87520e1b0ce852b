import ParallelColumns

/// The order in which points are visited.
enum Ranking {
    /// A rank for each point; points at one site with one weight share a stretch of ranks, in
    /// which their order means nothing.
    static func ranks(of input: ClusterInput, workers: Workers) -> SharedColumn<UInt32> {
        let ranks = SharedColumn<UInt32>(count: input.count, in: workers.scratch)
        let pieces = workers.cut(input.count)
        if let visits = input.given?.visits, !visits.isEmpty {
            workers.stage { rank(by: visits, ranks, $0) }
            return ranks
        }
        guard input.options.order == .stable else {
            workers.forEach(pieces.count) { piece in
                for point in pieces[piece] { ranks[point] = UInt32(truncatingIfNeeded: point) }
            }
            return ranks
        }
        workers.stage { workers in
            let sorted = stableOrder(of: input, pieces, workers)
            workers.forEach(pieces.count) { piece in
                for rank in pieces[piece] {
                    ranks[sorted[rank].item] = UInt32(truncatingIfNeeded: rank)
                }
            }
        }
        return ranks
    }

    /// Ranks nodes of cells in which refused nodes have another order than their points.
    private static func rank(
        by visits: VisitKeys, _ ranks: SharedColumn<UInt32>, _ workers: Workers
    ) {
        let entries = SharedColumn<SortEntry>(count: ranks.count, in: workers.scratch)
        let pieces = workers.cut(ranks.count)
        workers.forEach(pieces.count) { piece in
            for point in pieces[piece] {
                entries[point] = SortEntry(
                    key: visits.head(point), item: UInt32(truncatingIfNeeded: point))
            }
        }
        let sorted = RadixSort.sorted(entries, bits: 64, workers: workers)
        sorted.sortTies(workers) { visits.precedes(Int($0), Int($1)) }
        workers.forEach(pieces.count) { piece in
            for rank in pieces[piece] {
                ranks[sorted[rank].item] = UInt32(truncatingIfNeeded: rank)
            }
        }
    }

    private static func stableOrder(
        of input: ClusterInput, _ pieces: [Range<Int>], _ workers: Workers
    ) -> SharedColumn<SortEntry> {
        let entries = SharedColumn<SortEntry>(count: input.count, in: workers.scratch)
        workers.forEach(pieces.count) { piece in
            for point in pieces[piece] {
                let key = mix(input.x[point], input.y[point])
                entries[point] = SortEntry(key: key, item: UInt32(truncatingIfNeeded: point))
            }
        }
        // The upper bits tell most positions apart; the rest is sorted by comparison.
        let mixed = RadixSort.sorted(entries, from: 31, bits: 64, workers: workers)
        mixed.sortTies(workers, ignoring: 31) { first, second in
            let positions = (
                first: (input.x[first.item], input.y[first.item]),
                second: (input.x[second.item], input.y[second.item])
            )
            return first.key != second.key
                ? first.key < second.key : positions.first < positions.second
        }
        guard input.options.weighted, input.table.weights != nil else { return mixed }
        workers.forEach(pieces.count) { piece in
            for index in pieces[piece] {
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
