import Expressions
import JSON
import Points

/// Reads the value of an attribute or an expression of a row.
struct ValueReader: Sendable {
    /// A number that is missing, and one of the wrong kind. Both are no number.
    static let missing = Double.nan
    static let unusable = Double(nan: 1, signaling: false)

    private let points: PointTable
    private let key: AttributeKey?
    private let expression: BoundExpression?
    private let countsAll: Bool

    init(_ source: Aggregate.Source, of points: PointTable) {
        self.points = points
        let keys = points.attributes.keys
        switch source {
        case .points: (key, expression, countsAll) = (nil, nil, true)
        case .attribute(let name):
            (key, expression, countsAll) = (keys.key(named: name), nil, false)
        case .expression(let expression):
            (key, self.expression, countsAll) = (nil, expression.bound(to: keys), false)
        case .facet(let layout):
            // The value to sum up; `FacetSlots` finds which count of the facet it belongs to.
            (key, expression, countsAll) = (layout.facet.sum.flatMap(keys.key), nil, false)
        }
    }

    var rowCount: Int { points.count }

    /// Calls `body` with each row of a range and its number, `missing` or `unusable`.
    @inline(__always)
    func readNumbers(
        ofRows rows: Range<Int>, as kind: LeafValues.Kind, _ body: (Int, Double) -> Void
    ) {
        guard kind == .number, let key else {
            for row in rows { body(row, number(ofRow: row, as: kind)) }
            return
        }
        points.attributes.forEachRecord(of: rows) { row, record in
            guard let value = record.value(of: key) else { return body(row, Self.missing) }
            let number = value.number ?? Self.unusable
            body(row, number.isFinite ? number : Self.unusable)
        }
    }

    private func number(ofRow row: Int, as kind: LeafValues.Kind) -> Double {
        if countsAll { return 1 }
        guard let value = value(ofRow: row) else { return Self.missing }
        switch (kind, value) {
        case (_, .number(let number)) where number.isNaN: return Self.unusable
        case (.presence, _): return 1
        case (.bool, .bool(let bool)): return bool ? 1 : 0
        case (.number, _):
            let number = value.asNumber ?? Self.unusable
            return number.isFinite ? number : Self.unusable
        default: return Self.unusable
        }
    }

    /// The value, if the row has one.
    func value(ofRow row: Int) -> AttributeValue? {
        let record = points.attributes[row]
        if let key { return record.value(of: key)?.unpacked }
        guard let expression else { return nil }
        let id = points.ids?[row] ?? PointTable.noID
        switch expression.value(record, id: id) {
        case .null: return nil
        case .bool(let bool): return .bool(bool)
        case .integer(let integer): return .integer(integer)
        case .unsigned(let integer): return .unsigned(integer)
        case .number(let number): return .number(number)
        case .string(let text): return .text(text)
        case .array(let elements): return .text(JSONValue.array(elements).text())
        case .object(let object): return .text(JSONValue.object(object).text())
        }
    }
}
