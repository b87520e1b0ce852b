import Points

/// How many of a cluster's points have each value of a facet.
struct FacetReducer: AggregateReducer {
    static let input = LeafValues.Kind.code
    let layout: FacetLayout

    /// One value for a point; only clusters need room for all counts.
    enum State: Sendable {
        case one(UInt32)
        case counts([Int])
    }

    func state(of leaf: Int, in values: LeafValues) -> State? { values.code(leaf).map(State.one) }

    func merge(_ state: inout State, _ next: State) {
        var counts = take(&state)
        switch next {
        case .one(let slot): counts[Int(slot)] += 1
        case .counts(let more): for index in more.indices { counts[index] += more[index] }
        }
        state = .counts(counts)
    }

    /// Moves the counts out of a state, so that nothing is copied.
    private func take(_ state: inout State) -> [Int] {
        let taken = state
        state = .one(0)
        switch consume taken {
        case .counts(let counts): return counts
        case .one(let slot):
            var counts = [Int](repeating: 0, count: layout.count)
            counts[Int(slot)] = 1
            return counts
        }
    }

    func write(
        _ state: State, as names: ResultNames, _ values: LeafValues,
        to records: inout RecordBuilder
    ) {
        var state = state
        records.append(names.key, utf8: layout.text(of: take(&state)).span)
    }

    func partial(of state: State, _ values: LeafValues) -> PartialState {
        var state = state
        return .numbers(take(&state).map(Double.init))
    }

    func state(of partial: PartialState, _ values: inout LeafValues) -> State? {
        guard case .numbers(let numbers) = partial, numbers.count == layout.count else {
            return nil
        }
        return .counts(numbers.map { Int($0) })
    }
}

/// The sum of a value over the points that have each value of a facet.
struct FacetSumReducer: AggregateReducer {
    static let input = LeafValues.Kind.code
    let layout: FacetLayout

    func state(of leaf: Int, in values: LeafValues) -> [Double]? {
        guard let slot = values.code(leaf) else { return nil }
        var sums = [Double](repeating: 0, count: layout.count)
        sums[Int(slot)] = values.number(leaf) ?? 0
        return sums
    }

    func merge(_ state: inout [Double], _ next: [Double]) {
        for index in next.indices { state[index] += next[index] }
    }

    func write(
        _ state: [Double], as names: ResultNames, _ values: LeafValues,
        to records: inout RecordBuilder
    ) {
        if let text = layout.text(of: state) { records.append(names.key, utf8: text.span) }
    }

    func partial(of state: [Double], _ values: LeafValues) -> PartialState { .numbers(state) }

    func state(of partial: PartialState, _ values: inout LeafValues) -> [Double]? {
        guard case .numbers(let sums) = partial, sums.count == layout.count else { return nil }
        return sums
    }
}
