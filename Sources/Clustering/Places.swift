import ParallelColumns
import Points

/// The distinct places of a hierarchy's points.
///
/// Points at one identical place share their fate at every zoom: whoever gathers one of them
/// gathers all. So the engine sees places, and a million points at one of them are one node.
struct Places: Sendable {
    /// Points, place by place; at one place in rank order.
    let points: SharedColumn<UInt32>
    /// Where each place's points start, and at last where they end.
    private let starts: SharedColumn<UInt32>

    var count: Int { starts.count - 1 }

    @inline(__always)
    func range(of place: Int) -> Range<Int> { Int(starts[place])..<Int(starts[place + 1]) }

    /// The points' distinct places, sorted for the given rows, and the level that they make up.
    static func find(
        in input: ClusterInput, rows: Rows, into arena: Arena, workers: Workers
    ) -> (places: Places, level: Level) {
        let ranks = Ranking.ranks(of: input, workers: workers)
        let order = Level.order(
            xs: input.x, ys: input.y, rank: ranks, rows: rows, workers: workers)
        let places = Places(order, of: input)
        places.sortPoints(of: input, workers: workers)
        return (places, places.makeLevel(of: input, ranks, rows, into: arena, workers))
    }

    private init(_ order: SharedColumn<SortEntry>, of input: ClusterInput) {
        points = SharedColumn(count: order.count, in: input.arena)
        var starts = Column<UInt32>(capacity: order.count + 1)
        for index in 0..<order.count {
            let point = order[index].item
            points[index] = point
            let isNew =
                index == 0
                || input.x[point] != input.x[points[index - 1]]
                || input.y[point] != input.y[points[index - 1]]
            if isNew { starts.append(UInt32(truncatingIfNeeded: index)) }
        }
        starts.append(UInt32(truncatingIfNeeded: order.count))
        self.starts = SharedColumn(viewing: starts, keptIn: input.arena)
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
            for place in pieces[piece] {
                let range = range(of: place)
                level.x[place] = input.x[points[range.lowerBound]]
                level.y[place] = input.y[points[range.lowerBound]]
                level.node[place] = .place(place)
                level.points[place] = UInt32(truncatingIfNeeded: range.count)
                level.places?[place] = 1
                level.rank[place] = range.reduce(UInt32.max) { min($0, ranks[points[$1]]) }
                level.weight?[place] = range.reduce(0) { $0 + input.weight(points[$1]) }
            }
        }
        return level
    }
}
