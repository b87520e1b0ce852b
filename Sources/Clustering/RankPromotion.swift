import ParallelColumns

/// The order of nodes after a pass that refused some: those that a node had gathered follow it.
enum RankPromotion {
    static func apply(_ formation: ClusterFormation, arrivals: Level, workers: Workers) {
        let level = formation.level
        let survivors = (0..<level.count).filter { formation.survives($0) }
        let entries = SharedColumn<SortEntry>(
            count: survivors.count + arrivals.count, in: workers.scratch)
        for (place, index) in survivors.enumerated() {
            let owner = Int(formation.claims.owner[index])
            let within = owner == index ? 0 : UInt64(level.rank[index]) + 1
            let key = UInt64(level.rank[owner]) << 32 | within
            entries[place] = SortEntry(key: key, item: UInt32(place))
        }
        for index in 0..<arrivals.count {
            let place = survivors.count + index
            let key = UInt64(arrivals.rank[index]) << 32
            entries[place] = SortEntry(key: key, item: UInt32(place))
        }
        let sorted = RadixSort.sorted(entries, bits: 64, workers: workers)
        for rank in 0..<sorted.count {
            let place = Int(sorted[rank].item)
            if place < survivors.count {
                level.rank[survivors[place]] = UInt32(rank)
            } else {
                arrivals.rank[place - survivors.count] = UInt32(rank)
            }
        }
    }
}
