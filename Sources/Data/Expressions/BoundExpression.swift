import JSON
import Points

/// The value of an expression. Numbers are canonical: whole numbers are integers.
public typealias ExpressionValue = JSONValue

/// An expression whose attribute names are resolved to the keys of a table's records.
///
/// Evaluation changes nothing and may run on any number of threads. After a fault (a text where a
/// number is needed), a filter does not match, a number is nil and a value is null; `evaluated` and
/// `checkedMatch` throw the fault instead, for callers that count or report faults.
public struct BoundExpression: Sendable {
    public let expression: Expression
    private let root: any ExpressionNode
    private let sources: [AttributeSource]

    init(_ expression: Expression, keys: AttributeKeys, properties: [String]) {
        self.expression = expression
        root = expression.root
        sources =
            [AttributeSource(keys: keys, properties: properties)]
            + expression.attributeNames.map { name in
                AttributeSource(
                    key: keys.intern(name), property: properties.firstIndex(of: name))
            }
    }

    /// Whether the filter accepts a feature; `nulls` are its attributes without a value.
    public func matches(
        _ record: AttributeRecord, id: UInt64 = PointTable.noID, nulls: [AttributeKey] = []
    ) -> Bool {
        (try? checkedMatch(record, id: id, nulls: nulls)) ?? false
    }

    /// Whether the filter accepts a feature; throws the fault if that is unknown.
    public func checkedMatch(
        _ record: AttributeRecord, id: UInt64 = PointTable.noID, nulls: [AttributeKey] = []
    ) throws(EvaluationFault) -> Bool {
        try root.bool(
            in: EvaluationContext(
                record: record, id: id, sources: sources.span, nulls: nulls.span))
    }

    /// The value as a number, if it is one. Arithmetic on attributes allocates nothing.
    public func number(
        _ record: AttributeRecord, id: UInt64 = PointTable.noID
    ) -> Double? {
        let context = EvaluationContext(record: record, id: id, sources: sources.span)
        return (try? root.numberIfAny(in: context)) ?? nil
    }

    public func value(
        _ record: AttributeRecord, id: UInt64 = PointTable.noID
    ) -> ExpressionValue {
        (try? evaluated(record, id: id)) ?? .null
    }

    /// The value; throws the fault if there is none.
    public func evaluated(
        _ record: AttributeRecord, id: UInt64 = PointTable.noID
    ) throws(EvaluationFault) -> ExpressionValue {
        try root.value(
            in: EvaluationContext(record: record, id: id, sources: sources.span))
    }

    /// Joins the accumulated value with the next values of the bound `properties`.
    ///
    /// A fault gives null.
    public func reduced(
        accumulated: ExpressionValue, properties: Span<ExpressionValue>
    ) -> ExpressionValue {
        let nothing: InlineArray<0, UInt8> = []
        var context = EvaluationContext(
            record: AttributeRecord(nothing.span), id: PointTable.noID,
            sources: sources.span)
        let accumulated: InlineArray<1, ExpressionValue> = [accumulated]
        context.accumulated = accumulated.span
        context.properties = properties
        return (try? root.value(in: context)) ?? .null
    }
}

extension RecordBuilder {
    /// Packs a value as an attribute; null is omitted, arrays and objects become JSON text.
    /// - Returns: whether there was a value.
    @discardableResult
    public mutating func append(_ key: AttributeKey, _ value: ExpressionValue) -> Bool {
        switch value {
        case .null: return false
        case .bool(let bool): append(key, bool: bool)
        case .integer(let integer): append(key, integer: integer)
        case .unsigned(let integer): append(key, unsigned: integer)
        case .number(let number): append(key, number: number)
        case .string(let string): append(key, text: string)
        case .array, .object: append(key, text: value.text())
        }
        return true
    }
}
