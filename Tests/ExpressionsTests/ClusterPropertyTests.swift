import Expressions
import JSON
import Points
import Testing

struct ClusterPropertyTests {
    /// Runs a property over features as a cluster does: map each, then reduce from the left.
    private func run(_ source: String, over features: [TestFeature]) throws -> ExpressionValue {
        let property = try ClusterProperty(name: "total", json: JSONValue(parsing: source))
        let values = features.map { $0.value(of: property.map) }
        let reduce = property.reduce.bound(to: AttributeKeys(), properties: ["total"])
        return values.dropFirst().reduce(values[0]) { total, value in
            let properties: InlineArray<1, ExpressionValue> = [value]
            return reduce.reduced(accumulated: total, properties: properties.span)
        }
    }

    private let features = [3, 5, 4].map {
        TestFeature(["rank": .integer($0), "big": .bool($0 > 4), "name": .text("n\($0)")])
    }

    @Test(arguments: [
        Case(#"["+",["get","rank"]]"#, "12"), Case(#"["*",["get","rank"]]"#, "60"),
        Case(#"["max",["get","rank"]]"#, "5"), Case(#"["min",["get","rank"]]"#, "3"),
        Case(#"["any",["get","big"]]"#, "true"), Case(#"["all",["get","big"]]"#, "false"),
        Case(#"["concat",["concat",["get","name"],","]]"#, #""n3,n5,n4,""#),
        Case(#"["+",["case",[">",["get","rank"],3],1,0]]"#, "2"), Case(#"["+",1]"#, "3"),
        Case(#"[["+",["accumulated"],["get","total"]],["get","rank"]]"#, "12"),
        Case(
            #"[["case",[">",["get","total"],["accumulated"]],["get","total"],["accumulated"]],["get","rank"]]"#,
            "5"),
        Case(#"[["-",["get",["concat","tot","al"]],["accumulated"]],["get","rank"]]"#, "2"),
        Case(#"["+",["get","name"]]"#, "null"),
    ])
    func `both forms map and reduce`(row: Case) throws {
        #expect(try run(row.source, over: features).text() == row.expected)
    }

    @Test func `a known operator is recognised in the short form only`() throws {
        func recognised(_ source: JSONValue) throws -> ClusterProperty.Operator? {
            try ClusterProperty(name: "total", json: source).reduceOperator
        }
        #expect(try recognised(["+", ["get", "rank"]]) == .sum)
        #expect(try recognised(["max", ["get", "rank"]]) == .max)
        #expect(try recognised(["concat", ["get", "rank"]]) == .concat)
        #expect(try recognised(["coalesce", ["get", "rank"]]) == nil)
        #expect(try recognised([["+", ["accumulated"], ["get", "total"]], 1]) == nil)
    }

    static let errors = [
        Case(
            "3", "expected [OPERATOR, EXPRESSION] or [REDUCER, EXPRESSION] at sum, found a number"),
        Case(
            #"["+",1,2]"#,
            "expected [OPERATOR, EXPRESSION] or [REDUCER, EXPRESSION] at sum, found an array of 3"),
        Case(
            "[1,2]",
            "expected an operator's name or a reducing expression at sum[0], found a number"),
        Case(#"["sum",1]"#, #"unknown operator "sum" at sum"#),
        Case(#"["upcase",1]"#, #""upcase" takes 1 argument, found 2 at sum"#),
        Case(#"["+",["gte","a"]]"#, #"unknown operator "gte" at sum[1]; did you mean "get"?"#),
        Case(
            #"["+",["accumulated"]]"#,
            #""accumulated" at sum[1] belongs in the reducing part of a cluster property"#),
        Case(
            #"[["+",["acumulated"],1],1]"#,
            #"unknown operator "acumulated" at sum[0][1]; did you mean "accumulated"?"#),
    ]

    @Test(arguments: errors)
    func `a wrong property is refused with its place`(row: Case) throws {
        let json = try JSONValue(parsing: row.source)
        let error = #expect(throws: ExpressionError.self) {
            try ClusterProperty(name: "sum", json: json, at: .root["sum"])
        }
        #expect(error?.description == row.expected)
    }
}
