import Points

/// An aggregate as a state that a point's value starts and that merges with another's.
///
/// States merge in rank order over the children of each cluster, so results have the same
/// bits for any number of threads and any cut.
protocol AggregateReducer: Sendable {
    associatedtype State: Sendable

    /// What the reducer reads of a point.
    static var input: LeafValues.Kind { get }

    /// The state of one point; nil for a value that cannot be used.
    func state(of leaf: Int, in values: LeafValues) -> State?

    func merge(_ state: inout State, _ next: State)

    /// The state in a form that means the same beside other points, and back: the same bits.
    func partial(of state: State, _ values: LeafValues) -> PartialState
    func state(of partial: PartialState, _ values: inout LeafValues) -> State?

    /// Packs the result as attributes.
    func write(
        _ state: State, as names: ResultNames, _ values: LeafValues,
        to records: inout RecordBuilder)
}

extension RecordBuilder {
    /// Packs a computed number. One that grew past the largest number is left out: no answer is
    /// better than a wrong one.
    @inline(__always)
    mutating func append(_ key: AttributeKey, result number: Double) {
        if number.isFinite { append(key, number: number) }
    }
}

/// The attributes that an aggregate writes.
struct ResultNames: Sendable {
    let key: AttributeKey
    /// For a result of one attribute a category: the keys by category.
    let categories: [AttributeKey]
}
