import Expressions
import JSON
import Testing

struct LegacyFilterTests {
    static let filters: [(source: String, matches: Bool)] = [
        (#"["==","kind","cafe"]"#, true), (#"["==","kind","bar"]"#, false),
        (#"["!=","kind","bar"]"#, true), (#"["!=","none",1]"#, true),
        (#"["==","value",12]"#, true), (#"["==","value","12"]"#, false),
        (#"["==","open",true]"#, true), (#"["==","none",null]"#, false),
        (#"[">","value",10]"#, true), (#"[">=","value",12]"#, true),
        (#"["<","value",12]"#, false), (#"["<=","value",12]"#, true),
        (#"[">","kind","bar"]"#, true), (#"[">","kind",10]"#, false),
        (#"["<","kind",10]"#, false), (#"[">","none",0]"#, false),
        (#"["in","kind","bar","cafe"]"#, true), (#"["in","value",1,12]"#, true),
        (#"["in","kind"]"#, false), (#"["!in","kind","bar","pub"]"#, true),
        (#"["has","kind"]"#, true), (#"["!has","kind"]"#, false), (#"["!has","none"]"#, true),
        (#"["has","$id"]"#, true), (#"["has","$type"]"#, true),
        (#"["==","$id",7]"#, true), (#"["in","$id",6,8]"#, false),
        (#"["==","$type","Point"]"#, true), (#"["in","$type","LineString","Polygon"]"#, false),
        (#"["all",["==","kind","cafe"],[">","value",10]]"#, true),
        (#"["all",["==","kind","cafe"],[">","value",20]]"#, false),
        (#"["any",["==","kind","bar"],["has","name"]]"#, true),
        (#"["none",["==","kind","bar"],["has","name"]]"#, false), (#"["none"]"#, true),
        (#"["all",["==","kind","cafe"],["any",["none",["has","none"]]]]"#, true),
        // What follows is of the newer language, though it starts alike.
        (#"["==",["get","kind"],"cafe"]"#, true), (#"["has","kind",["get","address"]]"#, false),
        (#"["in",["get","kind"],["literal",["cafe"]]]"#, true),
        (#"["in","ür",["get","name"]]"#, true),
        (#"["all"]"#, true), (#"["any"]"#, false), (#"["all",true,["get","open"]]"#, true),
        (#"["get","open"]"#, true), (#"["get","kind"]"#, false), ("true", true), ("false", false),
        ("null", true),
        // A mixture is judged part by part.
        (#"["all",["==","kind","cafe"],[">",["get","value"],10]]"#, true),
    ]

    @Test(arguments: filters)
    func `old and new filters are told apart by their shape`(
        source: String, matches: Bool
    ) throws {
        #expect(try TestFeature.cafe.matches(source) == matches)
    }

    /// Each order of each attribute of the café and each kind of bound.
    @Test(arguments: ["<", "<=", ">", ">="])
    func `an order holds between two numbers or two texts, and nothing else`(order: String) throws {
        let attributes: [(name: String, number: Double?, text: String?)] = [
            ("value", 12, nil), ("kind", nil, "cafe"), ("open", nil, nil), ("none", nil, nil),
        ]
        for attribute in attributes {
            for bound in ["11", "12", "12.5", "-3", #""cafe""#, #""bar""#, #""d""#, #""""#] {
                let wanted: Bool
                if let own = attribute.number, let other = Double(bound) {
                    wanted =
                        order == "<"
                        ? own < other
                        : order == "<="
                            ? own <= other
                            : order == ">" ? own > other : own >= other
                } else if let own = attribute.text, bound.hasPrefix("\"") {
                    let other = String(bound.dropFirst().dropLast())
                    wanted =
                        order == "<"
                        ? own < other
                        : order == "<="
                            ? own <= other
                            : order == ">" ? own > other : own >= other
                } else {
                    wanted = false
                }
                let source = #"["\#(order)","\#(attribute.name)",\#(bound)]"#
                #expect(try TestFeature.cafe.matches(source) == wanted, "\(source)")
            }
        }
    }

    private static func zoom(at path: String) -> String {
        #""$zoom" at \#(path) is for drawing maps; it has no meaning for data"#
    }

    private static func noOperator(at path: String) -> String {
        #"expected an operator's name, or ["literal", […]] for an array at \#(path), "#
            + "found an empty array"
    }

    static let errors = [
        Case(#"["==","kind",["a"]]"#, #"unknown operator "a" at [2]; did you mean "at"?"#),
        Case(#"["!has","kind","b"]"#, #""!has" takes 1 argument, found 2 at top level"#),
        Case(
            #"["all",["<","kind",true]]"#,
            "expected a number or a string at [1][2], found a boolean"),
        Case(
            #"["!in","kind",["a"]]"#, "expected a plain value at [2], found an array"),
        Case(#"["none",["==",1,2]]"#, "expected an attribute's name at [1][1], found a number"),
        Case(#"["all",["has","a"],"b"]"#, "expected a boolean at [2], found a string"),
        Case(#"[">=","$zoom",5]"#, zoom(at: "[1]")), Case(#"["has","$zoom"]"#, zoom(at: "[1]")),
        Case(#"["!has","$zoom"]"#, zoom(at: "[1]")), Case(#"["!in","$zoom",1]"#, zoom(at: "[1]")),
        Case(#"["any",["==","v",1],["none",["!=","$zoom",3]]]"#, zoom(at: "[2][1][1]")),
        Case(#"["all",[">",["get","v"],1],["has","$zoom"]]"#, zoom(at: "[2][1]")),
        Case("3", "expected a boolean at top level, found a number"),
        Case(#"["all",[]]"#, noOperator(at: "[1]")),
        Case(#"["any",["==","v",1],[]]"#, noOperator(at: "[2]")),
    ]

    @Test(arguments: errors)
    func `a wrong old filter is refused with its place`(row: Case) throws {
        let source = try JSONValue(parsing: row.source)
        let error = #expect(throws: ExpressionError.self) {
            try Expression(parsing: source, as: .filter)
        }
        #expect(error?.description == row.expected)
    }
}
