import Points

/// The number of points that have a value.
struct CountReducer: AggregateReducer {
    static let input = LeafValues.Kind.presence

    func state(of leaf: Int, in values: LeafValues) -> Int? { values.number(leaf).map { _ in 1 } }

    func merge(_ state: inout Int, _ next: Int) { state += next }

    func write(
        _ state: Int, as names: ResultNames, _ values: LeafValues, to records: inout RecordBuilder
    ) {
        records.append(names.key, integer: Int64(state))
    }
}

struct SumReducer: AggregateReducer {
    static let input = LeafValues.Kind.number

    func state(of leaf: Int, in values: LeafValues) -> Double? { values.number(leaf) }

    func merge(_ state: inout Double, _ next: Double) { state += next }

    func write(
        _ state: Double, as names: ResultNames, _ values: LeafValues,
        to records: inout RecordBuilder
    ) {
        records.append(names.key, result: state)
    }
}

/// The largest value, or with sign −1 the smallest.
struct ExtremeReducer: AggregateReducer {
    static let input = LeafValues.Kind.number
    let sign: Double

    func state(of leaf: Int, in values: LeafValues) -> Double? { values.number(leaf) }

    func merge(_ state: inout Double, _ next: Double) {
        if next * sign > state * sign { state = next }
    }

    func write(
        _ state: Double, as names: ResultNames, _ values: LeafValues,
        to records: inout RecordBuilder
    ) {
        records.append(names.key, result: state)
    }
}

struct MeanReducer: AggregateReducer {
    static let input = LeafValues.Kind.number

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

    func write(
        _ state: State, as names: ResultNames, _ values: LeafValues,
        to records: inout RecordBuilder
    ) {
        records.append(names.key, result: state.sum / state.count)
    }
}

/// The population variance, or its square root.
struct SpreadReducer: AggregateReducer {
    static let input = LeafValues.Kind.number
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

    func write(
        _ state: State, as names: ResultNames, _ values: LeafValues,
        to records: inout RecordBuilder
    ) {
        let variance = state.squares / state.count
        records.append(names.key, result: isDeviation ? variance.squareRoot() : variance)
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
