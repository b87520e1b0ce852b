import Expressions
import JSON
import Points

/// The cost of one evaluation on packed records.
enum ExpressionsBenchmark: Benchmark {
    static let name = "expressions"
    static let summary = "filters and values over a million packed records"

    private static let rows = 1_000_000

    static func run(_ session: inout BenchSession) throws {
        let table = makeTable()
        try filter(
            "all", ["all", ["==", ["get", "kind"], "cafe"], [">", ["get", "value"], 10]],
            table, &session)
        try filter(
            "old filter", ["all", ["==", "kind", "cafe"], [">", "value", 10]], table, &session)
        try filter(
            "in", ["in", ["get", "kind"], ["literal", ["cafe", "bar", "pub"]]], table, &session)
        try number("get", ["get", "value"], table, &session)
        try number("+ * get", ["+", ["*", ["get", "value"], 2], 1], table, &session)
        try number(
            "match", ["match", ["get", "kind"], "cafe", 1, ["bar", "pub"], 2, 0], table, &session)
        try number(
            "interpolate", ["interpolate", ["linear"], ["get", "value"], 0, 1, 50, 9], table,
            &session)
        try values("concat", ["concat", ["get", "kind"], "-", ["get", "value"]], table, &session)
        handWritten(table, &session)
    }

    private static func filter(
        _ name: String, _ source: JSONValue, _ table: AttributeTable, _ session: inout BenchSession
    ) throws {
        let bound = try Expression(parsing: source, as: .filter).bound(to: table.keys)
        measure(name, &session) { row in bound.matches(table[row]) ? 1 : 0 }
    }

    private static func number(
        _ name: String, _ source: JSONValue, _ table: AttributeTable, _ session: inout BenchSession
    ) throws {
        let bound = try Expression(parsing: source, as: .value).bound(to: table.keys)
        measure(name, &session) { row in bound.number(table[row]) ?? 0 }
    }

    private static func values(
        _ name: String, _ source: JSONValue, _ table: AttributeTable, _ session: inout BenchSession
    ) throws {
        let bound = try Expression(parsing: source, as: .value).bound(to: table.keys)
        measure(name, &session) { row in bound.value(table[row]) == .null ? 0 : 1 }
    }

    /// For comparison: the first filter as Swift code.
    private static func handWritten(_ table: AttributeTable, _ session: inout BenchSession) {
        let kind = table.keys.intern("kind")
        let value = table.keys.intern("value")
        let cafe = Array("cafe".utf8)
        measure("all, by hand", &session) { row in
            let record = table[row]
            guard let utf8 = record.value(of: kind)?.utf8, utf8.count == cafe.count,
                utf8.indices.allSatisfy({ utf8[$0] == cafe[$0] }),
                let number = record.value(of: value)?.number
            else { return 0 }
            return number > 10 ? 1 : 0
        }
    }

    private static func measure(
        _ name: String, _ session: inout BenchSession, _ body: (Int) -> Double
    ) {
        var sum = 0.0
        let time = session.seconds {
            for row in 0..<rows { sum += body(row) }
        }
        precondition(sum > 0, "the expression must yield something")
        session.figure(name, time / Double(rows) * 1e9, "ns")
    }

    private static func makeTable() -> AttributeTable {
        var table = AttributeTable()
        let name = table.keys.intern("name")
        let kind = table.keys.intern("kind")
        let value = table.keys.intern("value")
        let kinds = ["cafe", "restaurant", "bar", "museum"]
        var records = RecordBuilder()
        var ends: [UInt32] = []
        for row in 0..<rows {
            records.append(name, text: "place \(row)")
            records.append(kind, text: kinds[row &* 7 % 4])
            records.append(value, integer: Int64(row &* 31 % 100))
            ends.append(UInt32(records.byteCount))
        }
        table.append(records.bytes, ends: ends.span)
        return table
    }
}
