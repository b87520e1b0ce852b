import ParallelColumns

/// The order of nodes after a pass that refused some: those that a node had gathered follow it.
enum Reranking {
    static func apply(_ formation: ClusterFormation, arrivals: Level, workers: Workers) {
        let level = formation.level
        let survivors = (0..<level.count).filter { formation.survives($0) }
        let entries = SharedColumn<SortEntry>(
            count: survivors.count + arrivals.count, in: workers.scratch)
        for (ordinal, index) in survivors.enumerated() {
            let owner = Int(formation.assignment.owner[index])
            let within = owner == index ? 0 : UInt64(level.rank[index]) + 1
            let key = UInt64(level.rank[owner]) << 32 | within
            entries[ordinal] = SortEntry(key: key, item: UInt32(ordinal))
        }
        for index in 0..<arrivals.count {
            let ordinal = survivors.count + index
            let key = UInt64(arrivals.rank[index]) << 32
            entries[ordinal] = SortEntry(key: key, item: UInt32(ordinal))
        }
        let sorted = RadixSort.sorted(entries, bits: 64, workers: workers)
        for rank in 0..<sorted.count {
            let ordinal = Int(sorted[rank].item)
            if ordinal < survivors.count {
                level.rank[survivors[ordinal]] = UInt32(rank)
            } else {
                arrivals.rank[ordinal - survivors.count] = UInt32(rank)
            }
        }
    }
}
