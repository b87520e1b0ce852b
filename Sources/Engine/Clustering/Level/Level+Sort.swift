import ParallelColumns

extension Level {
    /// The same nodes sorted by band, then x, y and rank.
    func sorted(by bands: Bands, into arena: Arena, workers: Workers) -> Level {
        let result = makeEmpty(count: count, bands: bands, in: arena)
        workers.stage { workers in
            let order = Level.order(xs: x, ys: y, rank: rank, bands: bands, workers: workers)
            workers.forEachRange(of: count) { range in
                for index in range {
                    result.set(index, to: Int(order[index].item), of: self)
                }
            }
        }
        return result
    }

    /// The order of positions by band, then x, y and rank.
    static func order(
        xs: SharedColumn<Double>, ys: SharedColumn<Double>, rank: SharedColumn<UInt32>,
        bands: Bands, workers: Workers
    ) -> SharedColumn<SortEntry> {
        // Bits of x fill up the last digit; they tell most nodes of a band apart.
        let bandBits = bands.bits
        let xBits = bandBits <= 22 ? 44 - bandBits : 64 - bandBits
        let xScale = Double(UInt64(1) << UInt64(xBits))
        let xLimit = (UInt64(1) << UInt64(xBits)) - 1
        precondition(ys.count == xs.count)
        let (eachX, eachY) = unsafe (xs.unchecked, ys.unchecked)
        let sorted = RadixSort.order(of: xs.count, bits: bandBits + xBits, workers: workers) {
            let column = min(UInt64(eachX[$0] * xScale), xLimit)
            return UInt64(bands.band(eachY[$0])) << UInt64(xBits) | column
        }
        sorted.sortTies(workers) { first, second in
            if xs[first] != xs[second] { return xs[first] < xs[second] }
            if ys[first] != ys[second] { return ys[first] < ys[second] }
            return rank[first] < rank[second]
        }
        return sorted
    }
}

extension SharedColumn where Element == SortEntry {
    /// Puts entries with equal keys in order.
    @inline(__always)
    func sortTies(_ workers: Workers, by precedes: @Sendable (UInt32, UInt32) -> Bool) {
        sortTies(workers, ignoring: 0) { precedes($0.item, $1.item) }
    }

    /// Sorts entries whose keys are equal except in the lowest bits.
    @inline(__always)
    func sortTies(
        _ workers: Workers, ignoring bits: UInt64,
        by precedes: @Sendable (SortEntry, SortEntry) -> Bool
    ) {
        let pieces = pieces(workers, ignoring: bits)
        workers.forEach(pieces.count) { piece in
            var start = pieces[piece].lowerBound
            while start + 1 < pieces[piece].upperBound {
                let end = endOfTie(from: start, ignoring: bits)
                if end - start > 1 { sort(start..<end, by: precedes) }
                start = end
            }
        }
    }

    /// The entries cut so that equal keys stay together.
    private func pieces(_ workers: Workers, ignoring bits: UInt64) -> [Range<Int>] {
        workers.cut(count).aligned { self[$0].key >> bits == self[$0 - 1].key >> bits }
    }

    @inline(__always)
    private func endOfTie(from start: Int, ignoring bits: UInt64) -> Int {
        let key = self[start].key >> bits
        var end = start + 1
        while end < count, self[end].key >> bits == key { end += 1 }
        return end
    }

    private func sort(_ range: Range<Int>, by precedes: (SortEntry, SortEntry) -> Bool) {
        let isSorted = range.dropFirst().allSatisfy { !precedes(self[$0], self[$0 - 1]) }
        guard !isSorted else { return }
        let entries = range.map { self[$0] }.sorted(by: precedes)
        for (index, entry) in zip(range, entries) { self[index] = entry }
    }
}
