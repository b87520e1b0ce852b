import Expressions
import JSON
import Points
import Testing

/// Attributes that a feature has without a value, which its record does not hold.
struct NullFilterTests {
    private func matches(_ filter: String) throws -> Bool {
        let feature = TestFeature(["n": .integer(1)])
        let nulls = ["other", "x"].map { feature.table.keys.intern($0) }
        return try Expression(parsing: JSONValue(parsing: filter), as: .filter)
            .bound(to: feature.table.keys).matches(feature.table[0], nulls: nulls)
    }

    @Test(arguments: [
        (#"["has","x"]"#, true), (#"["has","other"]"#, true), (#"["has","n"]"#, true),
        (#"["has","y"]"#, false), (#"["!has","x"]"#, false), (#"["!has","y"]"#, true),
        (#"["has",["concat","x"]]"#, true), (#"["has",["concat","y"]]"#, false),
        (#"["has",["concat","n"]]"#, true), (#"["has","x",["properties"]]"#, true),
        (#"["has","y",["properties"]]"#, false), (#"["==","x",null]"#, true),
        (#"["==","y",null]"#, false), (#"["==","n",null]"#, false), (#"["!=","x",null]"#, false),
        (#"["!=","y",null]"#, true), (#"["in","x",null]"#, true), (#"["in","y",null]"#, false),
        (#"["in","n",null,1]"#, true), (#"["!in","x",1,null]"#, false),
        (#"["==",["get","x"],null]"#, true), (#"["==",["get","y"],null]"#, true),
        (#"["==",["get","n"],null]"#, false), (#"["==","$id",null]"#, true),
    ])
    func `null is told from missing, and from a value`(filter: String, expected: Bool) throws {
        #expect(try matches(filter) == expected)
    }

    @Test func `the last null of an object stands for it`() throws {
        let feature = TestFeature(["n": .integer(1)])
        let key = feature.table.keys.intern("x")
        let filter = try Expression(
            parsing: ["==", ["to-string", ["properties"]], #"{"x":null,"n":1}"#], as: .filter)
        let bound = filter.bound(to: feature.table.keys)
        let isMatch = bound.matches(feature.table[0], nulls: [key])
        let isMatchWithout = bound.matches(feature.table[0])
        #expect(isMatch && !isMatchWithout)
    }

    @Test(arguments: [
        // Which of two faults is told: that of the first operand.
        (#"["==",["number",["get","kind"]],["number",["get","open"]]]"#, "string"),
        (#"["==",["number",["get","open"]],["number",["get","kind"]]]"#, "boolean"),
    ])
    func `operands are looked at in their order`(source: String, found: String) throws {
        #expect(try TestFeature.cafe.value(of: source).text().contains(found))
    }
}
