import JSON
import Points

/// The source of an attribute that an expression names.
struct AttributeSource: Sendable {
    var key = AttributeKey(number: .max)
    /// The index among the passed properties, if it is not in the record.
    var property: Int?
    /// For names known only at evaluation; only the first source has them.
    var keys: AttributeKeys?
    var properties: [String] = []
}

/// The data on which an expression is evaluated.
struct EvaluationContext: ~Escapable {
    let record: AttributeRecord
    let id: UInt64
    /// The source for computed names, then one for each name in the expression.
    let sources: Span<AttributeSource>
    /// Attributes of the feature without a value; the record does not hold them.
    let nulls: Span<AttributeKey>
    /// Values passed to a reduction; passing a span is free, passing a value is not.
    var properties: Span<ExpressionValue>
    /// One value in a reduction, otherwise empty.
    var accumulated: Span<ExpressionValue>

    @_lifetime(copy record, copy sources, copy nulls)
    init(
        record: AttributeRecord, id: UInt64, sources: Span<AttributeSource>,
        nulls: Span<AttributeKey> = Span()
    ) {
        self.record = record
        self.id = id
        self.sources = sources
        self.nulls = nulls
        properties = Span()
        accumulated = Span()
    }
}
