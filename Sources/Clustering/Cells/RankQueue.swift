/// Nodes of a level that are waiting, of which the one of lowest rank comes next.
struct RankQueue: Sendable {
    /// A heap of ranks above and indexes below.
    private var keys: [UInt64] = []

    mutating func insert(_ index: Int, rank: UInt32) {
        var hole = keys.count
        let key = UInt64(rank) << 32 | UInt64(index)
        keys.append(key)
        while hole > 0, keys[(hole - 1) / 2] > key {
            keys[hole] = keys[(hole - 1) / 2]
            hole = (hole - 1) / 2
        }
        keys[hole] = key
    }

    mutating func popLowest() -> Int? {
        guard let lowest = keys.first, let key = keys.popLast() else { return nil }
        guard !keys.isEmpty else { return Int(lowest & 0xFFFF_FFFF) }
        var hole = 0
        while true {
            var child = 2 * hole + 1
            guard child < keys.count else { break }
            if child + 1 < keys.count, keys[child + 1] < keys[child] { child += 1 }
            guard keys[child] < key else { break }
            keys[hole] = keys[child]
            hole = child
        }
        keys[hole] = key
        return Int(lowest & 0xFFFF_FFFF)
    }
}
