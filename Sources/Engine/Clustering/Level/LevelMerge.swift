import ParallelColumns

/// Makes the next level: the surviving nodes, and those that arrive, as clusters that formed do.
///
/// Survivors are sorted already, or are two sorted bands that become one, so the next level is a merge, not a
/// sort.
struct LevelMerge: Sendable {
    private let old: Level
    private let gone: SharedColumn<UInt8>
    private let arrivals: Level
    private let bands: Bands

    /// - Parameter gone: 1 for each node of the old level that does not survive.
    static func next(
        after old: Level, without gone: SharedColumn<UInt8>, arrivals: Level, bands: Bands,
        into arena: Arena, workers: Workers
    ) -> Level {
        let merge = LevelMerge(
            old: old, gone: gone,
            arrivals: arrivals.sorted(by: bands, into: workers.scratch, workers: workers),
            bands: bands
        )
        let isMergeable = bands == old.bands || bands.joinsPairs(of: old.bands)
        // If the nodes are merged, the old level is cut between bands of the new one.
        let pieces = workers.cut(old.count).aligned {
            isMergeable && bands.band(old.y[$0]) == bands.band(old.y[$0 - 1])
        }
        let survivors = SharedColumn<UInt32>(count: pieces.count, in: workers.scratch)
        workers.forEach(pieces.count) { piece in
            var count: UInt32 = 0
            for index in pieces[piece] where gone[index] == 0 { count += 1 }
            survivors[piece] = count
        }
        let total = pieces.indices.reduce(arrivals.count) { $0 + Int(survivors[$1]) }
        let level = arrivals.makeEmpty(
            count: total, bands: isMergeable ? bands : old.bands,
            in: isMergeable ? arena : workers.scratch)
        guard isMergeable else {
            merge.concatenate(into: level)
            return level.sorted(by: bands, into: arena, workers: workers)
        }
        let starts = pieces.indices.map { piece in
            (0..<piece).reduce(merge.firstArrival(ofPiece: piece, pieces)) {
                $0 + Int(survivors[$1])
            }
        }
        workers.forEach(pieces.count) { piece in
            let last = piece == pieces.count - 1
            let arrived =
                merge.firstArrival(
                    ofPiece: piece, pieces)..<(last
                ? arrivals.count : merge.firstArrival(ofPiece: piece + 1, pieces))
            merge.fill(level, from: starts[piece], with: pieces[piece], arrived)
        }
        return level
    }

    /// The first arrival in the bands of a piece.
    private func firstArrival(ofPiece piece: Int, _ pieces: [Range<Int>]) -> Int {
        let start = pieces[piece].lowerBound
        guard piece > 0 else { return 0 }
        guard start < old.count else { return arrivals.count }
        return arrivals.firstIndex(band: bands.band(old.y[start]), x: -1)
    }

    private func concatenate(into level: Level) {
        var end = 0
        for index in 0..<old.count where gone[index] == 0 {
            level.set(end, to: index, of: old)
            end += 1
        }
        for index in 0..<arrivals.count { level.set(end + index, to: index, of: arrivals) }
    }

    /// Merges band by band.
    private func fill(
        _ level: Level, from start: Int, with piece: Range<Int>, _ arrived: Range<Int>
    ) {
        var end = start
        var arrival = arrived.lowerBound
        var index = piece.lowerBound
        while index < piece.upperBound {
            let band = bands.band(old.y[index])
            while arrival < arrived.upperBound, arrivals.band(of: arrival) < band {
                level.set(end, to: arrival, of: arrivals)
                (end, arrival) = (end + 1, arrival + 1)
            }
            let first = arrival
            while arrival < arrived.upperBound, arrivals.band(of: arrival) == band { arrival += 1 }
            let bandEnd = mergeBand(level, &end, index, piece.upperBound, band, first..<arrival)
            index = bandEnd
        }
        for rest in arrival..<arrived.upperBound {
            level.set(end, to: rest, of: arrivals)
            end += 1
        }
    }

    /// Merges one new band out of one or two old ones and the arrivals; returns where it ends.
    @inline(__always)
    private func mergeBand(
        _ level: Level, _ end: inout Int, _ start: Int, _ limit: Int, _ band: Int,
        _ arrived: Range<Int>
    ) -> Int {
        let firstOld = old.band(of: start)
        var middle = start + 1
        while middle < limit, old.band(of: middle) == firstOld { middle += 1 }
        var stop = middle
        while stop < limit, bands.band(old.y[stop]) == band { stop += 1 }
        var upper = nextSurvivor(start, middle)
        var lower = nextSurvivor(middle, stop)
        var arrival = arrived.lowerBound
        while true {
            let takesUpper = upper < middle && (lower == stop || precedes(upper, lower, of: old))
            let candidate = takesUpper ? upper : lower
            let hasOld = takesUpper || lower < stop
            if arrival < arrived.upperBound, !hasOld || precedes(arrival, before: candidate) {
                level.set(end, to: arrival, of: arrivals)
                arrival += 1
            } else if hasOld {
                level.set(end, to: candidate, of: old)
                if takesUpper {
                    upper = nextSurvivor(upper + 1, middle)
                } else {
                    lower = nextSurvivor(lower + 1, stop)
                }
            } else {
                return stop
            }
            end += 1
        }
    }

    @inline(__always)
    private func nextSurvivor(_ start: Int, _ end: Int) -> Int {
        var index = start
        while index < end, gone[index] != 0 { index += 1 }
        return index
    }

    @inline(__always)
    private func precedes(_ first: Int, _ second: Int, of level: Level) -> Bool {
        if level.x[first] != level.x[second] { return level.x[first] < level.x[second] }
        return level.rank[first] < level.rank[second]
    }

    @inline(__always)
    private func precedes(_ arrival: Int, before index: Int) -> Bool {
        if arrivals.x[arrival] != old.x[index] { return arrivals.x[arrival] < old.x[index] }
        return arrivals.rank[arrival] < old.rank[index]
    }
}
