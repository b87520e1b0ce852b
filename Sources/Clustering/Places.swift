import ParallelColumns
import Points

/// The distinct places of a hierarchy's points.
///
/// Points at one identical place share their fate at every zoom: whoever gathers one of them
/// gathers all. So the engine sees places, and a million points at one of them are one node.
struct Places: Sendable {
    /// Points, place by place; at one place in rank order.
    let points: SharedColumn<UInt32>
    let count: Int
    /// Where each place's points start, and at last where they end; nil if each has one.
    private let starts: SharedColumn<UInt32>?

    /// Whether several points lie at one place.
    var hasTwins: Bool { starts != nil }

    @inline(__always)
    func range(of place: Int) -> Range<Int> {
        guard let starts else { return place..<place + 1 }
        return Int(starts[place])..<Int(starts[place + 1])
    }

    @inline(__always)
    private func firstPoint(of place: Int) -> UInt32 {
        points[starts.map { Int($0[place]) } ?? place]
    }

    /// The points' distinct places, sorted for the given rows, and the level that they make up.
    static func find(
        in input: ClusterInput, rows: Rows, into arena: Arena, workers: Workers
    ) -> (places: Places, level: Level) {
        let ranks = Ranking.ranks(of: input, workers: workers)
        let places = workers.stage { workers in
            Places(
                Level.order(xs: input.x, ys: input.y, rank: ranks, rows: rows, workers: workers),
                of: input, workers)
        }
        places.sortPoints(of: input, workers: workers)
        return (places, places.makeLevel(of: input, ranks, rows, into: arena, workers))
    }

    private init(_ order: SharedColumn<SortEntry>, of input: ClusterInput, _ workers: Workers) {
        points = SharedColumn(count: order.count, in: input.arena)
        let pieces = workers.cut(order.count)
        let counts = SharedColumn<Int>(count: pieces.count, in: workers.scratch)
        workers.forEach(pieces.count) { [points] piece in
            var count = 0
            for index in pieces[piece] {
                points[index] = order[index].item
                if Self.isNew(index, in: order, input) { count += 1 }
            }
            counts[piece] = count
        }
        count = pieces.indices.reduce(0) { $0 + counts[$1] }
        guard count < order.count else {
            starts = nil
            return
        }
        let starts = SharedColumn<UInt32>(count: count + 1, in: input.arena)
        self.starts = starts
        starts[count] = UInt32(truncatingIfNeeded: order.count)
        workers.forEach(pieces.count) { piece in
            var place = (0..<piece).reduce(0) { $0 + counts[$1] }
            for index in pieces[piece] where Self.isNew(index, in: order, input) {
                starts[place] = UInt32(truncatingIfNeeded: index)
                place += 1
            }
        }
    }

    /// Whether a point lies elsewhere than the one before it.
    @inline(__always)
    private static func isNew(
        _ index: Int, in order: SharedColumn<SortEntry>, _ input: ClusterInput
    ) -> Bool {
        // Most places differ in the key already, and it lies at hand.
        guard index > 0, order[index].key == order[index - 1].key else { return true }
        let (point, last) = (order[index].item, order[index - 1].item)
        return input.x[point] != input.x[last] || input.y[point] != input.y[last]
    }

    /// Brings points that share a place into rank order.
    private func sortPoints(of input: ClusterInput, workers: Workers) {
        guard input.options.order == .stable, count < points.count else { return }
        let twins = TwinOrder(input)
        let pieces = workers.cut(count)
        workers.forEach(pieces.count) { piece in
            for place in pieces[piece] where range(of: place).count > 1 {
                twins.sort(points, range(of: place))
            }
        }
    }

    private func makeLevel(
        of input: ClusterInput, _ ranks: SharedColumn<UInt32>, _ rows: Rows, into arena: Arena,
        _ workers: Workers
    ) -> Level {
        let options = input.options
        let level = Level(
            count: count, rows: rows, weighted: options.weighted,
            countsPlaces: options.minUniqueLocations > 2, in: arena)
        let pieces = workers.cut(count)
        workers.forEach(pieces.count) { piece in
            // Column by column: points lie anywhere in memory, and in a short loop many of them
            // are on their way at once.
            for place in pieces[piece] { level.x[place] = input.x[firstPoint(of: place)] }
            for place in pieces[piece] { level.y[place] = input.y[firstPoint(of: place)] }
            for place in pieces[piece] { level.rank[place] = ranks[firstPoint(of: place)] }
            for place in pieces[piece] {
                level.node[place] = .place(place)
                level.points[place] = 1
                level.places?[place] = 1
            }
            if let weights = level.weight {
                for place in pieces[piece] {
                    weights[place] = range(of: place).reduce(0) { $0 + input.weight(points[$1]) }
                }
            }
            guard hasTwins else { return }
            for place in pieces[piece] {
                let range = range(of: place)
                level.points[place] = UInt32(truncatingIfNeeded: range.count)
                level.rank[place] = range.reduce(UInt32.max) { min($0, ranks[points[$1]]) }
            }
        }
        return level
    }
}
