import JSON
import Points
import TestSupport
import Testing

@testable import Expressions

/// What a filter says of attributes without looking at a record.
struct AttributeRangeTests {
    private func ranges(_ text: String) throws -> [AttributeRange] {
        try Expression(parsing: try JSONValue(parsing: text), as: .filter).ranges
    }

    @Test(arguments: [
        (#"["==",["get","n"],5]"#, 5.0, 5.0), (#"["==","n",5]"#, 5, 5),
        (#"["<",["get","n"],5]"#, -.infinity, 5), (#"[">=","n",-2.5]"#, -2.5, .infinity),
        (#"["in",["get","n"],["literal",[4,9,2]]]"#, 2, 9), (#"["in","n",4,9,2]"#, 2, 9),
        (#"["all",["<=",["get","n"],3]]"#, -.infinity, 3),
    ])
    func `a comparison with a number is a range`(
        filter: String, least: Double, greatest: Double
    ) throws {
        #expect(
            try ranges(filter) == [AttributeRange(name: "n", bounds: .numbers(least...greatest))])
    }

    @Test func `texts have a range where they are equal, and not where they are in order`() throws {
        let equal = AttributeRange(name: "t", bounds: .texts(least: "b", greatest: "b"))
        #expect(try ranges(#"["==",["get","t"],"b"]"#) == [equal])
        let some = AttributeRange(name: "t", bounds: .texts(least: "a", greatest: "z"))
        #expect(try ranges(#"["in","t","m","z","a"]"#) == [some])
        #expect(try ranges(#"["<",["get","t"],"b"]"#).isEmpty)
    }

    @Test func `all that must be true counts, and nothing else`() throws {
        let found = try ranges(
            #"["all",["==",["get","a"],1],["any",["==",["get","b"],1],true],[">",["get","c"],2]]"#)
        #expect(found.map(\.name) == ["a", "c"])
        for filter in [
            #"["any",["==",["get","a"],1]]"#, #"["!",["==",["get","a"],1]]"#,
            #"["!=",["get","a"],1]"#, #"["==",["get","a"],["get","b"]]"#,
            #"["==",["get","a"],true]"#, #"["none",["==","a",1]]"#, #"["==","$id",1]"#,
            #"["==",["+",["get","a"],1],1]"#, #"["in",["get","a"],["literal",[1,"x"]]]"#,
            #"["has","a"]"#, "true",
        ] {
            #expect(try ranges(filter).isEmpty, "\(filter)")
        }
    }

    /// Whatever a random filter says: no record outside of a range matches.
    @Test(arguments: UInt64(0)..<40)
    func `no record outside of a range matches`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        func comparison() -> JSONValue {
            let operation = ["==", "<", "<=", ">", ">=", "in"][Int(random.next() % 6)]
            let isLegacy = random.next() % 2 == 0
            let name = ["n", "m"][Int(random.next() % 2)]
            let value = JSONValue.integer(Int64(random.next() % 9))
            let key: JSONValue = isLegacy ? .string(name) : ["get", .string(name)]
            guard operation == "in" else { return [.string(operation), key, value] }
            return isLegacy ? ["in", key, value, 3] : ["in", key, ["literal", [value, 3]]]
        }
        for _ in 0..<20 {
            let filter: JSONValue =
                random.next() % 3 == 0 ? comparison() : ["all", comparison(), comparison()]
            guard let expression = try? Expression(parsing: filter, as: .filter) else { continue }
            let keys = AttributeKeys()
            let bound = expression.bound(to: keys)
            for n in 0..<9 {
                for m in 0..<9 {
                    var record = RecordBuilder()
                    record.append(keys.intern("n"), integer: Int64(n))
                    record.append(keys.intern("m"), integer: Int64(m))
                    let isOutside = expression.ranges.contains { range in
                        guard case .numbers(let numbers) = range.bounds else { return false }
                        return !numbers.contains(Double(range.name == "n" ? n : m))
                    }
                    let bytes = record.bytes
                    let matches = bound.matches(AttributeRecord(bytes.span))
                    #expect(!(isOutside && matches), "\(filter.text()) \(n) \(m)")
                }
            }
        }
    }
}
