import JSON
import Points

/// Where an attribute that an expression names is found.
struct AttributeSource: Sendable {
    var key = AttributeKey(number: .max)
    /// The index among the properties handed over, where it is not in the record.
    var property: Int?
    /// For names that are known only at evaluation; only the first source has them.
    var keys: AttributeKeys?
    var properties: [String] = []
}

/// What an expression is evaluated on.
struct EvaluationContext: ~Escapable {
    let record: AttributeRecord
    let id: UInt64
    /// One for each name in the expression, behind the one for computed names.
    let sources: Span<AttributeSource>
    /// Attributes that the feature has without a value, which the record does not hold.
    let nulls: Span<AttributeKey>
    /// Values handed over for a reduction; a span is free to pass on, a value is not.
    var properties: Span<ExpressionValue>
    /// One value in a reduction, otherwise none.
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
