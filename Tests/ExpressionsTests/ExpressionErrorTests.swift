import Expressions
import JSON
import Testing

struct ExpressionErrorTests {
    static let errors = [
        Case(#"["gte",1]"#, #"unknown operator "gte" at top level; did you mean "get"?"#),
        Case(
            #"["all",["interpolat",["linear"],1,2,3]]"#,
            #"unknown operator "interpolat" at [1]; did you mean "interpolate"?"#),
        Case(#"["xyzzy"]"#, #"unknown operator "xyzzy" at top level"#),
        Case(
            #"["to-color","red"]"#,
            #""to-color" at top level is for drawing maps; it has no meaning for data"#),
        Case(
            #"[">",["zoom"],4]"#, #""zoom" at [1] is for drawing maps; it has no meaning for data"#),
        Case(
            #"["accumulated"]"#,
            #""accumulated" at top level belongs in the reducing part of a cluster property"#),
        Case(#"["get"]"#, #""get" takes 1 or 2 arguments, found 0 at top level"#),
        Case(#"["!",true,false]"#, #""!" takes 1 argument, found 2 at top level"#),
        Case(#"["id",1]"#, #""id" takes no arguments, found 1 at top level"#),
        Case(#"["/",1,2,3]"#, #""/" takes 2 arguments, found 3 at top level"#),
        Case(#"["array",1,2,3,4]"#, #""array" takes 1 to 3 arguments, found 4 at top level"#),
        Case(#"["+"]"#, #""+" takes at least 1 argument, found 0 at top level"#),
        Case(
            #"["case",true,1,false,2]"#,
            #""case" takes pairs of condition and output, then a fallback, found 4 at top level"#),
        Case(
            #"["match","a","b",1,"c",2]"#,
            #""match" takes an input, pairs of label and output, then a fallback, "#
                + "found 5 at top level"),
        Case(#"["+",1,["upcase","a"]]"#, "expected a number at [2], found a string"),
        Case(#"["upcase",["+",1,2]]"#, "expected a string at [1], found a number"),
        Case(#"["all",["get","a"],1]"#, "expected a boolean at [2], found a number"),
        Case(#"["length",3]"#, "expected an array at [1], found a number"),
        Case(#"["match",3,"a",1,2]"#, "expected a string at [1], found a number"),
        Case(#"["==","a",1]"#, #""==" cannot compare a string with a number at top level"#),
        Case(#"["<",true,false]"#, #""<" cannot compare a boolean with a boolean at top level"#),
        Case(
            #"["==",["literal",[]],["get","a"]]"#,
            #""==" cannot compare an array with a value at top level"#),
        Case(
            #"{"a":1}"#,
            #"expected an expression at top level, found an object; "#
                + #"write ["literal", {…}]"#),
        Case(
            #"["in",1,[1,2]]"#,
            #"expected an operator's name, or ["literal", […]] for an array at [2][0], "#
                + "found a number"),
        Case(
            #"["get",[]]"#,
            #"expected an operator's name, or ["literal", […]] for an array at [1], "#
                + "found an empty array"),
        Case(#"["match",["get","a"],["x","y"],1,"x",2,3]"#, #"the label "x" at [4] occurs before"#),
        Case(#"["match",["get","a"],[1,1],1,3]"#, "the label 1 at [2][1] occurs before"),
        Case(
            #"["match",["get","a"],1.5,1,3]"#,
            "expected a text or a whole number as label at [2], found 1.5"),
        Case(
            #"["match",["get","a"],1,1,"b",2,3]"#,
            "expected a whole number as label, as before at [4], found a string"),
        Case(
            #"["match",["get","a"],[],1,3]"#,
            "expected at least one label at [2], found an empty array"),
        Case(
            #"["step",["get","a"],0,5,1,5,2]"#,
            "the stop at [5] must be greater than the one before it"),
        Case(
            #"["step",["get","a"],0,5,1,9,2,7,3]"#,
            "the stop at [7] must be greater than the one before it"),
        Case(#"["step",["get","a"],0,"5",1]"#, "expected a number as stop at [3], found a string"),
        Case(
            #"["interpolate",["cubic-bezier",0,0,2,1],1,2,3]"#,
            #"expected ["linear"], ["exponential", BASE] or ["cubic-bezier", X1, Y1, X2, Y2] "#
                + #"with numbers from 0 to 1 at [1], found ["cubic-bezier",0,0,2,1]"#),
        Case(
            #"["let","speed",1,["var","sped"]]"#,
            #"unknown variable "sped" at [3]; did you mean "speed"?"#),
        Case(
            #"["let","a-b",1,2]"#,
            "expected a variable's name of letters, digits and underscores at [1], "
                + #"found "a-b""#),
        Case(
            #"["number-format",1,{"locale":"de"}]"#,
            #"expected only min-fraction-digits and max-fraction-digits at [2], found "locale""#),
    ]

    @Test(arguments: errors)
    func `an error says what is wrong and where`(row: Case) throws {
        let source = try JSONValue(parsing: row.source)
        let error = #expect(throws: ExpressionError.self) {
            try Expression(parsing: source, as: .value)
        }
        #expect(error?.description == row.expected)
    }

    @Test func `a path starts where the caller says`() {
        let error = #expect(throws: ExpressionError.self) {
            try Expression(
                parsing: ["all", ["==", ["get", "a"], 1], ["nope"]],
                at: .root["sources"]["places"]["filter"], as: .filter)
        }
        #expect(error?.description == #"unknown operator "nope" at sources.places.filter[2]"#)
    }

    @Test func `depth is bounded, through variables too`() throws {
        func negated(_ levels: Int, _ inner: JSONValue) -> JSONValue {
            (0..<levels).reduce(inner) { inner, _ in ["-", inner] }
        }
        _ = try Expression(parsing: negated(99, 1), as: .value)
        expectTooDeep(negated(100, 1))
        expectTooDeep(["let", "a", negated(60, 1), negated(60, ["var", "a"])])
        // A flat variable within the deep one does not make that any flatter.
        let flat: JSONValue = ["let", "b", 1, ["var", "b"]]
        expectTooDeep(["let", "a", ["+", negated(60, 1), flat], negated(60, ["var", "a"])])
        _ = try Expression(
            parsing: ["let", "a", ["+", negated(60, 1), flat], negated(30, ["var", "a"])],
            as: .value)
        var old: JSONValue = ["==", "a", 1]
        for _ in 0..<200 { old = ["none", old] }
        #expect(throws: ExpressionError.self) { try Expression(parsing: old, as: .filter) }
    }

    private func expectTooDeep(_ source: JSONValue) {
        let error = #expect(throws: ExpressionError.self) {
            try Expression(parsing: source, as: .value)
        }
        #expect(
            error?.description.hasPrefix("the expression is nested deeper than 100 levels at ")
                == true)
    }

    @Test func `variables that double at each step are refused, not run`() {
        var source: JSONValue = ["var", "v30"]
        for step in (1...30).reversed() {
            let last: JSONValue = ["var", .string("v\(step - 1)")]
            source = ["let", .string("v\(step)"), ["+", last, last], source]
        }
        source = ["let", "v0", 1, source]
        let error = #expect(throws: ExpressionError.self) {
            try Expression(parsing: source, as: .value)
        }
        #expect(
            error?.description.hasPrefix("the expression grows past 100000 operators at ") == true)
    }
}
