import CLibrary

// Arithmetic: ["+", A, …], ["-", A], ["-", A, B], ["min", A, …], ["sqrt", A], ["pi"] and so on.

extension Operator {
    static let plus = fold("+") { $0 + $1 }
    static let times = fold("*") { $0 * $1 }
    // NaN takes precedence, as in JavaScript.
    static let least = fold("min") { $0 < $1 || $0.isNaN ? $0 : $1 }
    static let greatest = fold("max") { $0 > $1 || $0.isNaN ? $0 : $1 }

    static let minus = Operator("-", takes: .between(1, 2)) {
        parser, call throws(ExpressionError) in
        let first = try parser.argument(0, of: call, as: .number)
        guard call.count == 2 else { return Unary(first) { -$0 } }
        return Binary(first, try parser.argument(1, of: call, as: .number)) { $0 - $1 }
    }
    static let divide = binary("/") { $0 / $1 }
    static let remainder = binary("%") { $0.truncatingRemainder(dividingBy: $1) }
    // C gives 1 here, JavaScript gives NaN.
    static let power = binary("^") {
        $1.isNaN || $0.magnitude == 1 && $1.isInfinite ? .nan : pow($0, $1)
    }

    static let absolute = unary("abs") { $0.magnitude }
    static let ceiling = unary("ceil") { $0.rounded(.up) }
    static let floor = unary("floor") { $0.rounded(.down) }
    static let round = unary("round") { $0.rounded(.toNearestOrAwayFromZero) }
    static let squareRoot = unary("sqrt") { $0.squareRoot() }
    static let naturalLogarithm = unary("ln") { log($0) }
    static let binaryLogarithm = unary("log2") { log2($0) }
    static let decimalLogarithm = unary("log10") { log10($0) }
    static let sine = unary("sin") { sin($0) }
    static let cosine = unary("cos") { cos($0) }
    static let tangent = unary("tan") { tan($0) }
    static let arcSine = unary("asin") { asin($0) }
    static let arcCosine = unary("acos") { acos($0) }
    static let arcTangent = unary("atan") { atan($0) }

    static let pi = constant("pi", .pi)
    static let e = constant("e", 2.718281828459045)
    static let ln2 = constant("ln2", 0.6931471805599453)

    private static func constant(_ name: String, _ number: Double) -> Operator {
        Operator(name, takes: .exactly(0)) { _, _ in Literal(.number(number)) }
    }

    private static func unary(
        _ name: String, _ apply: @escaping @Sendable (Double) -> Double
    ) -> Operator {
        Operator(name, takes: .exactly(1)) { parser, call throws(ExpressionError) in
            Unary(try parser.argument(0, of: call, as: .number), apply)
        }
    }

    private static func binary(
        _ name: String, _ apply: @escaping @Sendable (Double, Double) -> Double
    ) -> Operator {
        Operator(name, takes: .exactly(2)) { parser, call throws(ExpressionError) in
            Binary(
                try parser.argument(0, of: call, as: .number),
                try parser.argument(1, of: call, as: .number), apply)
        }
    }

    private static func fold(
        _ name: String, _ apply: @escaping @Sendable (Double, Double) -> Double
    ) -> Operator {
        Operator(name, takes: .atLeast(1)) { parser, call throws(ExpressionError) in
            let arguments = try parser.arguments(of: call, as: .number)
            if arguments.count == 2 { return Binary(arguments[0], arguments[1], apply) }
            return NumberClosure { context throws(EvaluationFault) in
                var result = try arguments[0].number(in: context)
                for argument in arguments.dropFirst() {
                    result = apply(result, try argument.number(in: context))
                }
                return result
            }
        }
    }
}

private final class Unary: NumberNode {
    private let argument: any ExpressionNode
    private let apply: @Sendable (Double) -> Double

    init(_ argument: any ExpressionNode, _ apply: @escaping @Sendable (Double) -> Double) {
        self.argument = argument
        self.apply = apply
    }

    func number(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> Double { apply(try argument.number(in: context)) }
}

private final class Binary: NumberNode {
    private let first: any ExpressionNode
    private let second: any ExpressionNode
    private let apply: @Sendable (Double, Double) -> Double

    init(
        _ first: any ExpressionNode, _ second: any ExpressionNode,
        _ apply: @escaping @Sendable (Double, Double) -> Double
    ) {
        self.first = first
        self.second = second
        self.apply = apply
    }

    func number(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> Double {
        apply(try first.number(in: context), try second.number(in: context))
    }
}
