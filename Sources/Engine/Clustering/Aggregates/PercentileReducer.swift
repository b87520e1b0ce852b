import Points

/// A percentile: exact up to `exactPercentileLimit` values, beyond that within 1 % of their order.
struct PercentileReducer: NumberReducer {
    let percent: Double

    enum State: Sendable {
        case exact([Double])
        case sketch(QuantileSketch)
    }

    func state(of leaf: Int, in values: LeafValues) -> State? {
        values.number(leaf).map { .exact([$0]) }
    }

    func merge(_ state: inout State, _ next: State) {
        switch (state, next) {
        case (.exact(var values), .exact(let more))
        where values.count + more.count <= AggregateOperation.exactPercentileLimit:
            state = .exact([])
            values += more
            state = .exact(values)
        default:
            var sketch = Self.sketch(of: state)
            // Drops the state's own reference, so that the sketch has one owner and is changed in place.
            state = .exact([])
            switch next {
            case .exact(let values): sketch.insert(values)
            case .sketch(let other): sketch.merge(other)
            }
            state = .sketch(sketch)
        }
    }

    private static func sketch(of state: State) -> QuantileSketch {
        switch state {
        case .exact(let values): QuantileSketch(values)
        case .sketch(let sketch): sketch
        }
    }

    func result(of state: State) -> Double {
        switch state {
        case .exact(let values):
            // A percentile between two values is interpolated linearly.
            let sorted = values.sorted()
            let rank = percent / 100 * Double(sorted.count - 1)
            let below = Int(rank)
            let above = min(below + 1, sorted.count - 1)
            return QuantileSketch.between(sorted[below], sorted[above], rank - Double(below))
        case .sketch(let sketch):
            return sketch.quantile(percent / 100)
        }
    }
}
