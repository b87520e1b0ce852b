import Expressions
import JSON
import Points

/// A record with a value of every kind, for whatever expression comes.
let table = {
    var table = AttributeTable()
    var records = RecordBuilder()
    for (name, value) in [
        ("a", .text("cafe")), ("b", .integer(12)), ("c", .number(0.5)), ("d", .bool(true)),
        ("e", .text(#"["x",1,{"y":null}]"#)), ("f", .text(#"{"g":[1]}"#)),
    ] as [(String, AttributeValue)] {
        records.append(table.keys.intern(name), value)
    }
    table.append(records.bytes, ends: [UInt32(records.bytes.count)].span)
    return table
}()

/// Whatever the JSON, it is refused or evaluated in each role.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzExpressions(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: bytes, count: count)
    guard let source = try? JSONValue(parsing: Span(_unsafeElements: input)) else { return 0 }
    for role in [Expression.Role.filter, .value, .reducer] {
        guard let expression = try? Expression(parsing: source, as: role) else { continue }
        let bound = expression.bound(to: table.keys)
        let value = bound.value(table[0], id: 7)
        precondition(bound.matches(table[0], id: 7) == (value == .bool(true)))
        var records = RecordBuilder()
        records.append(table.keys.intern("out"), value)
    }
    _ = try? ClusterProperty(name: "a", json: source)
    return 0
}
