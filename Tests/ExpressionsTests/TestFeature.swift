import Expressions
import JSON
import Points

/// One point with attributes, to evaluate expressions on.
struct TestFeature {
    let table: AttributeTable
    let id: UInt64

    /// The café that most of the tests are about.
    static let cafe = TestFeature(
        [
            "kind": .text("cafe"), "name": .text("Zürich 😀"), "value": .integer(12),
            "half": .number(0.5), "minus": .integer(-3), "open": .bool(true),
            "empty": .text(""), "digits": .text(" 42 "), "big": .integer(9_007_199_254_740_993),
            "huge": .unsigned(.max), "tags": .text(#"["a","b",3]"#),
            "address": .text(#"{"city":{"name":"Bern"},"zip":3000}"#), "bracket": .text("[x]"),
        ], id: 7)

    init(_ attributes: KeyValuePairs<String, AttributeValue>, id: UInt64 = PointTable.noID) {
        var table = AttributeTable()
        var records = RecordBuilder()
        for (name, value) in attributes { records.append(table.keys.intern(name), value) }
        table.append(records.bytes, ends: [UInt32(records.bytes.count)].span)
        self.table = table
        self.id = id
    }

    /// The value of an expression here, a fault as `{"fault": …}`.
    func value(of source: String) throws -> JSONValue {
        try value(of: Expression(parsing: JSONValue(parsing: source), as: .value))
    }

    func value(of expression: Expression) -> JSONValue {
        do throws(EvaluationFault) {
            return try expression.bound(to: table.keys).evaluated(table[0], id: id)
        } catch {
            return ["fault": .string(error.description)]
        }
    }

    func matches(_ source: String) throws -> Bool {
        try Expression(parsing: JSONValue(parsing: source), as: .filter)
            .bound(to: table.keys).matches(table[0], id: id)
    }
}

/// A row of a table of tests: an expression and what it yields for `TestFeature.cafe`.
struct Case: CustomStringConvertible, Sendable {
    var source: String
    var expected: String

    init(_ source: String, _ expected: String) {
        self.source = source
        self.expected = expected
    }

    var description: String { source }
}
