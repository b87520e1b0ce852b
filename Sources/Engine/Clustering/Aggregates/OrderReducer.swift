import Points

/// The first or the last value in their order: of dates as 2024-05-01 the earliest or the latest.
struct OrderReducer: AggregateReducer {
    static let input = LeafValues.Kind.code
    let isLast: Bool

    func state(of leaf: Int, in values: LeafValues) -> AttributeValue? {
        values.code(leaf).map(values.value)
    }

    func merge(_ state: inout AttributeValue, _ next: AttributeValue) {
        if isLast ? state.precedes(next) : next.precedes(state) { state = next }
    }

    func write(
        _ state: AttributeValue, as names: ResultNames, _ values: LeafValues,
        to records: inout RecordBuilder
    ) {
        records.append(names.key, state)
    }

    func partial(of state: AttributeValue, _ values: LeafValues) -> PartialState { .value(state) }

    func state(of partial: PartialState, _ values: inout LeafValues) -> AttributeValue? {
        if case .value(let value) = partial { value } else { nil }
    }
}
