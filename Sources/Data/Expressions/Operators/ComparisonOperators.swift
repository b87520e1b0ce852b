import Basics
import JSON

// ["==", A, B], ["!=", …], ["<", …], ["<=", …], [">", …], [">=", …]

extension Operator {
    static let equal = equality("==", isNegated: false)
    static let notEqual = equality("!=", isNegated: true)
    static let less = ordering("<")
    static let lessOrEqual = ordering("<=")
    static let greater = ordering(">")
    static let greaterOrEqual = ordering(">=")

    static let orders: [String: Order] = [
        "<": Order(numbers: { $0 < $1 }, texts: { $0 < 0 }),
        "<=": Order(numbers: { $0 <= $1 }, texts: { $0 <= 0 }),
        ">": Order(numbers: { $0 > $1 }, texts: { $0 > 0 }),
        ">=": Order(numbers: { $0 >= $1 }, texts: { $0 >= 0 }),
    ]

    private static func equality(_ name: String, isNegated: Bool) -> Operator {
        Operator(name, takes: .exactly(2)) { parser, call throws(ExpressionError) in
            let (a, b) = try operands(of: call, &parser, allowing: [.null, .boolean])
            let node = equality(a, b)
            return isNegated ? negation(of: node) : node
        }
    }

    /// The fastest node for the equality of two nodes' values.
    static func equality(_ a: any ExpressionNode, _ b: any ExpressionNode) -> any ExpressionNode {
        for (literal, other) in [(b, a), (a, b)] {
            switch (literal as? Literal)?.value {
            case .string(let text): return IsAmong(other, [text])
            // Past 2^53 a comparison as Double would treat neighbours as equal.
            case .integer(let integer) where integer.magnitude < 1 << 53:
                return IsNumber(other, Double(integer))
            case .number(let number): return IsNumber(other, number)
            default: continue
            }
        }
        return BoolClosure { context throws(EvaluationFault) in
            try a.value(in: context).isIdentical(to: try b.value(in: context))
        }
    }

    private static func ordering(_ name: String) -> Operator {
        Operator(name, takes: .exactly(2)) { parser, call throws(ExpressionError) in
            guard let order = orders[name] else { preconditionFailure("no such order") }
            let (a, b) = try operands(of: call, &parser, allowing: [])
            // If one type is known, the other side is asserted to have it.
            switch a.type == .value ? b.type : a.type {
            case .number: return ComparesNumbers(a, b, order)
            case .string:
                return BoolClosure { context throws(EvaluationFault) in
                    order.holds(try a.text(in: context), try b.text(in: context))
                }
            default:
                return BoolClosure { context throws(EvaluationFault) in
                    let (a, b) = (try a.value(in: context), try b.value(in: context))
                    if let a = a.asNumber, let b = b.asNumber { return order.numbers(a, b) }
                    if let a = a.asString, let b = b.asString { return order.holds(a, b) }
                    throw .notComparable(a.type, b.type)
                }
            }
        }
    }

    private static func operands(
        of call: Call, _ parser: inout ExpressionParser, allowing more: Set<ExpressionType>
    ) throws(ExpressionError) -> (any ExpressionNode, any ExpressionNode) {
        let a = try parser.argument(0, of: call)
        let b = try parser.argument(1, of: call)
        let types = more.union([.number, .string, .value])
        guard types.contains(a.type), types.contains(b.type),
            a.type == b.type || a.type == .value || b.type == .value
                || (more.contains(.null) && (a.type == .null || b.type == .null))
        else { throw .notComparable(call.name, a.type, b.type, at: call.path) }
        return (a, b)
    }
}

/// One of the four orderings, for numbers and for texts.
struct Order: Sendable {
    let numbers: @Sendable (Double, Double) -> Bool
    /// Takes the sign of the comparison of the first with the second.
    let texts: @Sendable (Int) -> Bool

    func holds(_ a: String, _ b: String) -> Bool { texts(Self.compare(a, b)) }

    /// Compares as JavaScript does, by UTF-16 units: this differs from the order of UTF-8 if one of
    /// two characters is beyond the first plane, because its units precede U+E000.
    private static func compare(_ a: String, _ b: String) -> Int {
        var (left, right) = (a.utf8.makeIterator(), b.utf8.makeIterator())
        while true {
            switch (left.next(), right.next()) {
            case (nil, nil): return 0
            case (nil, _): return -1
            case (_, nil): return 1
            case (let x?, let y?) where x != y:
                let isByUnits = max(x, y) >= 0xF0 && min(x, y) >= 0xEE && min(x, y) < 0xF0
                return (x < y) == isByUnits ? 1 : -1
            default: continue
            }
        }
    }
}

/// Whether the value of a node is one of some texts, which are distinct.
final class IsAmong: BoolNode {
    private let argument: any ExpressionNode
    private let texts: ByteNumbers

    init(_ argument: any ExpressionNode, _ texts: [String]) {
        self.argument = argument
        self.texts = ByteNumbers(texts)
    }

    func bool(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Bool {
        try argument.index(in: texts, context) != nil
    }
}

private final class IsNumber: BoolNode {
    private let argument: any ExpressionNode
    private let number: Double

    init(_ argument: any ExpressionNode, _ number: Double) {
        self.argument = argument
        self.number = number
    }

    func bool(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Bool {
        try argument.numberIfAny(in: context) == number
    }
}

private final class ComparesNumbers: BoolNode {
    private let a: any ExpressionNode
    private let b: any ExpressionNode
    private let order: Order

    init(_ a: any ExpressionNode, _ b: any ExpressionNode, _ order: Order) {
        self.a = a
        self.b = b
        self.order = order
    }

    func bool(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Bool {
        order.numbers(try a.number(in: context), try b.number(in: context))
    }
}
