import Points

/// Counts how often each value occurs, and writes one result of these counts.
struct TallyReducer: AggregateReducer {
    enum Result: Equatable, Sendable {
        case mode, distinct, histogram
        case top(Int)
    }

    static let input = LeafValues.Kind.code
    let result: Result

    func state(of leaf: Int, in values: LeafValues) -> [UInt32: Int]? {
        // Where no point has a value, none are distinct, but there is no most common one.
        values.code(leaf).map { [$0: 1] } ?? (result == .distinct ? [:] : nil)
    }

    func merge(_ state: inout [UInt32: Int], _ next: [UInt32: Int]) {
        if state.count < next.count {
            // Counts add up in any order, so the smaller joins the larger.
            let smaller = state
            state = next
            state.merge(smaller, uniquingKeysWith: +)
        } else {
            state.merge(next, uniquingKeysWith: +)
        }
    }

    func write(
        _ state: [UInt32: Int], as names: ResultNames, _ values: LeafValues,
        to records: inout RecordBuilder
    ) {
        switch result {
        case .distinct: records.append(names.key, integer: Int64(state.count))
        case .mode:
            if let best = ranked(state, values).first {
                records.append(names.key, values.value(ofCode: best))
            }
        case .top(let count):
            let texts = ranked(state, values).prefix(count).map { values.text(ofCode: $0) }
            records.append(names.key, text: texts.joined(separator: ", "))
        case .histogram:
            // Values that read alike, as 1 and "1" do, are one category.
            var counts: [AttributeKey: Int] = [:]
            for (code, count) in state { counts[names.categories[Int(code)], default: 0] += count }
            for code in state.keys.sorted(by: values.precedes) {
                let category = names.categories[Int(code)]
                guard let count = counts.removeValue(forKey: category) else { continue }
                records.append(category, integer: Int64(count))
            }
        }
    }

    /// The most common first; of equally common values the smaller.
    private func ranked(_ state: [UInt32: Int], _ values: LeafValues) -> [UInt32] {
        state.sorted { first, second in
            first.value != second.value
                ? first.value > second.value : values.precedes(first.key, second.key)
        }.map(\.key)
    }
}

/// The value of the first point that has one.
struct FirstReducer: AggregateReducer {
    static let input = LeafValues.Kind.code

    func state(of leaf: Int, in values: LeafValues) -> UInt32? { values.code(leaf) }

    func merge(_ state: inout UInt32, _ next: UInt32) {}

    func write(
        _ state: UInt32, as names: ResultNames, _ values: LeafValues,
        to records: inout RecordBuilder
    ) {
        records.append(names.key, values.value(ofCode: state))
    }
}

/// The first distinct values as one text.
struct ConcatReducer: AggregateReducer {
    static let input = LeafValues.Kind.code
    let limit: Int
    let separator: String

    func state(of leaf: Int, in values: LeafValues) -> [UInt32]? { values.code(leaf).map { [$0] } }

    func merge(_ state: inout [UInt32], _ next: [UInt32]) {
        for code in next where state.count < limit && !state.contains(code) { state.append(code) }
    }

    func write(
        _ state: [UInt32], as names: ResultNames, _ values: LeafValues,
        to records: inout RecordBuilder
    ) {
        let texts = state.map { values.text(ofCode: $0) }
        records.append(names.key, text: texts.joined(separator: separator))
    }
}
