import JSON

// ["literal", JSON], ["typeof", A], assertions (["string", A, FALLBACK…], ["array", TYPE, LENGTH, A]),
// conversions (["to-boolean", A], ["to-number", A, FALLBACK…], ["to-string", A]).

extension Operator {
    static let literal = Operator("literal", takes: .exactly(1)) {
        _, call throws(ExpressionError) in
        Literal(call.arguments[0])
    }

    static let typeOf = Operator("typeof", takes: .exactly(1)) {
        parser, call throws(ExpressionError) in
        let argument = try parser.argument(0, of: call)
        return TextClosure { context throws(EvaluationFault) in
            let value = try argument.value(in: context)
            guard case .array(let elements) = value else { return value.type.rawValue }
            let first = elements.first?.type
            let isUniform = elements.allSatisfy { $0.type == first }
            return "array<\(isUniform ? first?.rawValue ?? "value" : "value"), \(elements.count)>"
        }
    }

    static let assertString = assertion(.string)
    static let assertNumber = assertion(.number)
    static let assertBoolean = assertion(.boolean)
    static let assertObject = assertion(.object)

    private static func assertion(_ type: ExpressionType) -> Operator {
        Operator(type.rawValue, takes: .atLeast(1)) { parser, call throws(ExpressionError) in
            Assertion(type, try parser.arguments(of: call))
        }
    }

    static let assertArray = Operator("array", takes: .between(1, 3)) {
        parser, call throws(ExpressionError) in
        var elementType: ExpressionType?
        if call.count > 1 {
            let name = call.arguments[0].asString.flatMap(ExpressionType.init)
            guard let name, [.string, .number, .boolean].contains(name) else {
                throw call.wrongLiteral(0, expected: #""string", "number" or "boolean""#)
            }
            elementType = name
        }
        var length: Int?
        if call.count > 2, call.arguments[1] != .null {
            let number = try call.literalNumber(1, expected: "the array's length")
            guard let whole = Int(exactly: number), whole >= 0 else {
                throw call.wrongLiteral(1, expected: "the array's length")
            }
            length = whole
        }
        let argument = try parser.argument(call.count - 1, of: call)
        return ValueClosure(.array) { [elementType, length] context throws(EvaluationFault) in
            let elements = try argument.elements(in: context)
            let hasTypes = elementType == nil || elements.allSatisfy { $0.type == elementType }
            guard hasTypes, length == nil || length == elements.count else { throw .wrongElements }
            return .array(elements)
        }
    }

    static let toBoolean = Operator("to-boolean", takes: .exactly(1)) {
        parser, call throws(ExpressionError) in
        let argument = try parser.argument(0, of: call)
        return BoolClosure { context throws(EvaluationFault) in
            try argument.value(in: context).isTruthy
        }
    }

    static let toNumber = Operator("to-number", takes: .atLeast(1)) {
        parser, call throws(ExpressionError) in
        let arguments = try parser.arguments(of: call)
        return NumberClosure { context throws(EvaluationFault) in
            for argument in arguments {
                if let number = try argument.value(in: context).convertedToNumber { return number }
            }
            throw .notNumeric
        }
    }

    static let toString = Operator("to-string", takes: .exactly(1)) {
        parser, call throws(ExpressionError) in
        let argument = try parser.argument(0, of: call)
        return TextClosure { context throws(EvaluationFault) in
            try argument.value(in: context).asText
        }
    }
}

/// The first argument of the asserted type.
private final class Assertion: ExpressionNode {
    let type: ExpressionType
    private let arguments: [any ExpressionNode]

    init(_ type: ExpressionType, _ arguments: [any ExpressionNode]) {
        self.arguments = arguments
        self.type = type
    }

    func value(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> ExpressionValue {
        var found = ExpressionType.null
        for argument in arguments {
            let value = try argument.value(in: context)
            if value.type == type { return value }
            found = value.type
        }
        throw .wrongType(expected: type, found: found)
    }

    func number(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> Double {
        if type == .number, arguments.count == 1 { return try arguments[0].number(in: context) }
        return try value(in: context).asserted(.number) { $0.asNumber }
    }

    func numberIfAny(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> Double? {
        type == .number ? try number(in: context) : try value(in: context).asNumber
    }
}
