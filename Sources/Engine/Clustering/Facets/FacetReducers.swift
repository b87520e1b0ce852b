import Points

/// A number that facets add up: counts of points, or sums of values.
protocol FacetNumber: Numeric, Sendable {
    /// What a point adds to its slot.
    static func of(_ leaf: Int, in values: LeafValues) -> Self
    init(stored: Double)
    var stored: Double { get }
    /// The numbers as clusters carry them; nil if one of them has overflowed.
    static func text(of numbers: [Self], _ layout: FacetLayout) -> [UInt8]?
}

extension Int: FacetNumber {
    static func of(_ leaf: Int, in values: LeafValues) -> Int { 1 }
    init(stored: Double) { self = Int(stored) }
    var stored: Double { Double(self) }
    static func text(of numbers: [Int], _ layout: FacetLayout) -> [UInt8]? {
        layout.text(of: numbers)
    }
}

extension Double: FacetNumber {
    static func of(_ leaf: Int, in values: LeafValues) -> Double { values.number(leaf) ?? 0 }
    init(stored: Double) { self = stored }
    var stored: Double { self }
    static func text(of numbers: [Double], _ layout: FacetLayout) -> [UInt8]? {
        layout.text(of: numbers)
    }
}

/// How many of a cluster's points have each value of a facet, or the sum of a value over these points.
struct FacetReducer<Number: FacetNumber>: AggregateReducer {
    static var input: LeafValues.Kind { .code }
    let layout: FacetLayout

    func state(of leaf: Int, in values: LeafValues) -> FacetState<Number>? {
        values.code(leaf).map { .one(.init(slot: UInt16($0), number: .of(leaf, in: values))) }
    }

    func merge(_ state: inout FacetState<Number>, _ next: FacetState<Number>) {
        state.merge(next, of: layout.count)
    }

    func write(
        _ state: FacetState<Number>, as names: ResultNames, _ values: LeafValues,
        to records: inout RecordBuilder
    ) {
        var state = state
        guard let text = Number.text(of: state.takeNumbers(of: layout.count), layout) else {
            return
        }
        records.append(names.key, utf8: text.span)
    }

    func partial(of state: FacetState<Number>, _ values: LeafValues) -> PartialState {
        var slots: [PartialState.Slot] = []
        state.forEach {
            if $0.number != 0 { slots.append(.init(slot: $0.slot, number: $0.number.stored)) }
        }
        return .slots(slots)
    }

    func state(of partial: PartialState, _ values: inout LeafValues) -> FacetState<Number>? {
        guard case .slots(let slots) = partial, slots.allSatisfy({ $0.slot < layout.count })
        else { return nil }
        return .few(slots.map { .init(slot: $0.slot, number: Number(stored: $0.number)) })
    }
}
