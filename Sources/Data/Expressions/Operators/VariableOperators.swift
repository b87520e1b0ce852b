import JSON
import Spelling

// ["let", NAME, VALUE, …, BODY], ["var", NAME]

extension Operator {
    static let bind = Operator("let", takes: .atLeast(1)) { parser, call throws(ExpressionError) in
        guard call.count % 2 == 1 else {
            throw call.wrongCount(takes: "pairs of name and value, then an expression")
        }
        let outer = parser.variables
        var bound = outer
        for index in stride(from: 0, to: call.count - 1, by: 2) {
            let name = try call.literalText(index, expected: "a variable's name")
            guard isName(name) else {
                throw .wrongLiteral(
                    expected: "a variable's name of letters, digits and underscores",
                    found: JSONValue.string(name).text(), at: call.path(of: index))
            }
            bound[name] = try parser.variable(index + 1, of: call)
        }
        parser.variables = bound
        let body = try parser.argument(call.count - 1, of: call)
        parser.variables = outer
        return body
    }

    static let variable = Operator("var", takes: .exactly(1)) {
        parser, call throws(ExpressionError) in
        let name = try call.literalText(0, expected: "a variable's name")
        guard let variable = parser.variables[name] else {
            let nearest = parser.variables.keys.sorted().nearest(to: name)
            throw .unknownVariable(name, nearest: nearest, at: call.path)
        }
        return try parser.use(variable, at: call.path)
    }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
