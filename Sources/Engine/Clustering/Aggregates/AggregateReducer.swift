import Points

/// An aggregate as a state: each point's value starts one, and two states merge into one.
///
/// States merge in rank order over the children of each cluster, so results have the same bits for any number of
/// threads and any division of the work.
protocol AggregateReducer: Sendable {
    associatedtype State: Sendable

    /// What the reducer reads of a point.
    static var input: LeafValues.Kind { get }

    /// The state of one point; nil for a value that cannot be used.
    func state(of leaf: Int, in values: LeafValues) -> State?

    func merge(_ state: inout State, _ next: State)

    /// Converts the state to a form that does not depend on these points, and back, bit for bit.
    func partial(of state: State, _ values: LeafValues) -> PartialState
    func state(of partial: PartialState, _ values: inout LeafValues) -> State?

    /// Packs the result as attributes.
    func write(
        _ state: State, as names: ResultNames, _ values: LeafValues,
        to records: inout RecordBuilder)
}

extension RecordBuilder {
    /// Packs a computed number, unless it has overflowed: no answer is better than a wrong one.
    @inline(__always)
    mutating func append(_ key: AttributeKey, result number: Double) {
        if number.isFinite { append(key, number: number) }
    }
}

/// The attributes that an aggregate writes.
struct ResultNames: Sendable {
    let key: AttributeKey
    /// The key of each category, for an operation that writes one attribute per category.
    let categories: [AttributeKey]
}

extension ResultNames {
    init(of aggregate: Aggregate, _ values: LeafValues, _ keys: AttributeKeys) {
        key = keys.intern(aggregate.name)
        let categories = aggregate.operation == .histogram ? values.distinct : []
        self.categories = categories.map {
            keys.intern("\(aggregate.name):\(ExactText.text(of: $0))")
        }
    }
}
