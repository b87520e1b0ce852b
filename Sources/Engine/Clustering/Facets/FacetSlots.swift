import Basics
import Points

/// Finds which count of a facet a point belongs to. Each worker has its own.
struct FacetSlots: Sendable {
    private var axes: [AxisSlots]

    init(_ layout: FacetLayout, _ keys: AttributeKeys) {
        axes = zip(layout.facet.axes, layout.axes).map { AxisSlots($0, $1, keys) }
    }

    /// The count of a point; nil only if the layout was made without that point.
    @inline(__always)
    mutating func slot(of record: borrowing AttributeRecord) -> UInt32? {
        var slot = 0
        for index in axes.indices {
            guard let own = axes[index].slot(of: record) else { return nil }
            slot = slot * axes[index].count + own
        }
        return UInt32(slot)
    }
}

private struct AxisSlots: Sendable {
    let count: Int
    private let key: AttributeKey?
    private let breaks: [Double]?
    private let layout: FacetLayout.Axis
    /// The places of the known values, by their text.
    private let numbers: [[UInt8]: Int]
    private var values = ByteNumbers()
    /// The places of the values met so far, by their numbers in `values`; −1 for none.
    private var slots: [Int] = []

    init(_ axis: Facet.Axis, _ layout: FacetLayout.Axis, _ keys: AttributeKeys) {
        count = layout.count
        key = keys.key(named: axis.carriedBy)
        self.layout = layout
        if case .breaks(let breaks) = axis.kind { self.breaks = breaks } else { breaks = nil }
        numbers = Dictionary(
            layout.values.enumerated().map { (Array($1.utf8), $0) }
        ) { first, _ in first }
    }

    @inline(__always)
    mutating func slot(of record: borrowing AttributeRecord) -> Int? {
        guard let key, let value = record.value(of: key) else { return layout.none }
        guard breaks == nil else { return slot(of: value.number) }
        let number = values.number(of: value.bytes)
        if number == slots.count {
            let text = ExactText.text(of: PackedValue(values.bytes(number).span).unpacked)
            slots.append(numbers[Array(text.utf8)] ?? layout.other ?? -1)
        }
        return slots[number] < 0 ? nil : slots[number]
    }

    private func slot(of number: Double?) -> Int? {
        guard let breaks, let number, number.isFinite else { return layout.none }
        return breaks.firstIndex { number < $0 } ?? breaks.count
    }
}
