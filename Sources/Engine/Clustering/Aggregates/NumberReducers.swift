import Points

/// The number of points that have a value.
struct CountReducer: AggregateReducer {
    static let input = LeafValues.Kind.presence

    func state(of leaf: Int, in values: LeafValues) -> Int? { values.number(leaf) == nil ? 0 : 1 }

    func merge(_ state: inout Int, _ next: Int) { state += next }

    func write(
        _ state: Int, as names: ResultNames, _ values: LeafValues, to records: inout RecordBuilder
    ) {
        records.append(names.key, integer: Int64(state))
    }
}

/// An aggregate of numbers that writes one number.
protocol NumberReducer: AggregateReducer {
    func result(of state: State) -> Double
}

extension NumberReducer {
    static var input: LeafValues.Kind { .number }

    @inline(__always)
    func write(
        _ state: State, as names: ResultNames, _ values: LeafValues,
        to records: inout RecordBuilder
    ) {
        records.append(names.key, result: result(of: state))
    }
}

/// An aggregate whose state is a number like its values.
protocol FoldReducer: NumberReducer where State == Double {}

extension FoldReducer {
    @inline(__always)
    func state(of leaf: Int, in values: LeafValues) -> Double? { values.number(leaf) }

    func result(of state: Double) -> Double { state }

    func partial(of state: Double, _ values: LeafValues) -> PartialState { .number(state) }

    func state(of partial: PartialState, _ values: inout LeafValues) -> Double? {
        if case .number(let number) = partial { number } else { nil }
    }
}

struct SumReducer: FoldReducer {
    func merge(_ state: inout Double, _ next: Double) { state += next }
}

/// The largest value, or with sign −1 the smallest.
struct ExtremeReducer: FoldReducer {
    let sign: Double

    func merge(_ state: inout Double, _ next: Double) {
        if next * sign > state * sign { state = next }
    }
}

struct MeanReducer: NumberReducer {
    struct State: Sendable {
        var sum: Double
        var count: Double
    }

    func state(of leaf: Int, in values: LeafValues) -> State? {
        values.number(leaf).map { State(sum: $0, count: 1) }
    }

    func merge(_ state: inout State, _ next: State) {
        state.sum += next.sum
        state.count += next.count
    }

    func result(of state: State) -> Double { state.sum / state.count }
}

/// The population variance, or its square root.
struct SpreadReducer: NumberReducer {
    let isDeviation: Bool

    struct State: Sendable {
        var count: Double
        var mean: Double
        /// The sum of squared distances from the mean.
        var squares: Double
    }

    func state(of leaf: Int, in values: LeafValues) -> State? {
        values.number(leaf).map { State(count: 1, mean: $0, squares: 0) }
    }

    /// Chan's pairwise update, which loses no digits where the mean is far from zero.
    func merge(_ state: inout State, _ next: State) {
        let count = state.count + next.count
        let gap = next.mean - state.mean
        state.mean += gap * next.count / count
        state.squares += next.squares + gap * gap * state.count * next.count / count
        state.count = count
    }

    func result(of state: State) -> Double {
        let variance = state.squares / state.count
        return isDeviation ? variance.squareRoot() : variance
    }
}

/// Whether any value is true, or whether all are.
struct LogicReducer: AggregateReducer {
    static let input = LeafValues.Kind.bool
    /// The value that settles the answer.
    let decisive: Bool

    func state(of leaf: Int, in values: LeafValues) -> Bool? {
        values.number(leaf).map { $0 != 0 }
    }

    func merge(_ state: inout Bool, _ next: Bool) { if next == decisive { state = decisive } }

    func write(
        _ state: Bool, as names: ResultNames, _ values: LeafValues, to records: inout RecordBuilder
    ) {
        records.append(names.key, bool: state)
    }
}
