import Expressions
import Points

/// The state of an aggregate over some of a cluster's points.
///
/// Merged with others in leaf order, it gives the same result as all points together, bit for bit, wherever each
/// state was computed.
public enum PartialState: Equatable, Sendable {
    case count(Int)
    case number(Double)
    case mean(sum: Double, count: Double)
    case spread(count: Double, mean: Double, squares: Double)
    case bool(Bool)
    case numbers([Double])
    case sketch(QuantileSketch)
    /// How often each value occurs, in no order.
    case tally([Occurrence])
    case value(AttributeValue)
    case values([AttributeValue])
    case properties([ExpressionValue])
    /// The numbers of a facet that are not 0, in their order.
    case slots([Slot])

    public struct Slot: Equatable, Sendable {
        public var slot: UInt16
        public var number: Double
    }

    public struct Occurrence: Equatable, Sendable {
        public var value: AttributeValue
        public var count: Int
    }
}

extension CountReducer {
    func partial(of state: Int, _ values: LeafValues) -> PartialState { .count(state) }

    func state(of partial: PartialState, _ values: inout LeafValues) -> Int? {
        if case .count(let count) = partial { count } else { nil }
    }
}

extension MeanReducer {
    func partial(of state: State, _ values: LeafValues) -> PartialState {
        .mean(sum: state.sum, count: state.count)
    }

    func state(of partial: PartialState, _ values: inout LeafValues) -> State? {
        guard case .mean(let sum, let count) = partial else { return nil }
        return State(sum: sum, count: count)
    }
}

extension SpreadReducer {
    func partial(of state: State, _ values: LeafValues) -> PartialState {
        .spread(count: state.count, mean: state.mean, squares: state.squares)
    }

    func state(of partial: PartialState, _ values: inout LeafValues) -> State? {
        guard case .spread(let count, let mean, let squares) = partial else { return nil }
        return State(count: count, mean: mean, squares: squares)
    }
}

extension LogicReducer {
    func partial(of state: Bool, _ values: LeafValues) -> PartialState { .bool(state) }

    func state(of partial: PartialState, _ values: inout LeafValues) -> Bool? {
        if case .bool(let bool) = partial { bool } else { nil }
    }
}

extension PercentileReducer {
    func partial(of state: State, _ values: LeafValues) -> PartialState {
        switch state {
        case .exact(let numbers): .numbers(numbers)
        case .sketch(let sketch): .sketch(sketch)
        }
    }

    func state(of partial: PartialState, _ values: inout LeafValues) -> State? {
        switch partial {
        case .numbers(let numbers): .exact(numbers)
        case .sketch(let sketch): .sketch(sketch)
        default: nil
        }
    }
}

extension TallyReducer {
    func partial(of state: [UInt32: Int], _ values: LeafValues) -> PartialState {
        .tally(state.map { .init(value: values.value(ofCode: $0.key), count: $0.value) })
    }

    func state(of partial: PartialState, _ values: inout LeafValues) -> [UInt32: Int]? {
        guard case .tally(let counts) = partial else { return nil }
        var state: [UInt32: Int] = [:]
        for entry in counts { state[values.code(of: entry.value)] = entry.count }
        return state
    }
}

extension FirstReducer {
    func partial(of state: UInt32, _ values: LeafValues) -> PartialState {
        .value(values.value(ofCode: state))
    }

    func state(of partial: PartialState, _ values: inout LeafValues) -> UInt32? {
        if case .value(let value) = partial { values.code(of: value) } else { nil }
    }
}

extension ConcatReducer {
    func partial(of state: [UInt32], _ values: LeafValues) -> PartialState {
        .values(state.map { values.value(ofCode: $0) })
    }

    func state(of partial: PartialState, _ values: inout LeafValues) -> [UInt32]? {
        guard case .values(let all) = partial else { return nil }
        return all.map { values.code(of: $0) }
    }
}
