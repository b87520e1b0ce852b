import JSON

// Logic and choice: ["!", A], ["all", A…], ["any", A…], ["case", CONDITION, OUTPUT, …, FALLBACK],
// ["match", INPUT, LABEL, OUTPUT, …, FALLBACK], ["coalesce", A…].

extension Operator {
    static let not = Operator("!", takes: .exactly(1)) { parser, call throws(ExpressionError) in
        Not(try parser.argument(0, of: call, as: .boolean))
    }

    static let allOf = Operator("all", takes: .atLeast(0)) { parser, call throws(ExpressionError) in
        All(try parser.arguments(of: call, as: .boolean))
    }

    static let anyOf = Operator("any", takes: .atLeast(0)) { parser, call throws(ExpressionError) in
        Either(try parser.arguments(of: call, as: .boolean))
    }

    static let choose = Operator("case", takes: .atLeast(3)) {
        parser, call throws(ExpressionError) in
        guard call.count % 2 == 1 else {
            throw call.wrongCount(takes: "pairs of condition and output, then a fallback")
        }
        var branches: [(condition: Node, output: Node)] = []
        for index in stride(from: 0, to: call.count - 1, by: 2) {
            branches.append(
                (
                    try parser.argument(index, of: call, as: .boolean),
                    try parser.argument(index + 1, of: call)
                ))
        }
        return Choice(branches, fallback: try parser.argument(call.count - 1, of: call))
    }

    static let coalesce = Operator("coalesce", takes: .atLeast(1)) {
        parser, call throws(ExpressionError) in
        Coalesce(try parser.arguments(of: call))
    }
}

final class Not: BoolNode, @unchecked Sendable {
    private let argument: Node

    init(_ argument: Node) { self.argument = argument }

    override func bool(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Bool {
        try !argument.bool(in: context)
    }
}

final class All: BoolNode, @unchecked Sendable {
    private let arguments: [Node]

    init(_ arguments: [Node]) { self.arguments = arguments }

    override func bool(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Bool {
        for argument in arguments where try !argument.bool(in: context) { return false }
        return true
    }
}

final class Either: BoolNode, @unchecked Sendable {
    private let arguments: [Node]

    init(_ arguments: [Node]) { self.arguments = arguments }

    override func bool(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Bool {
        for argument in arguments where try argument.bool(in: context) { return true }
        return false
    }
}

extension ExpressionType {
    /// The one type of all these nodes, or `value`.
    init(joining nodes: [Node]) {
        let first = nodes.first?.type ?? .value
        self = nodes.allSatisfy { $0.type == first } ? first : .value
    }
}

/// A node that hands all questions on to another that it picks, so that numbers stay unboxed.
class Picking: Node, @unchecked Sendable {
    init(among nodes: [Node]) { super.init(ExpressionType(joining: nodes)) }

    func pick(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Node {
        preconditionFailure("a picking node must say which")
    }

    override final func value(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> ExpressionValue { try pick(in: context).value(in: context) }

    override final func number(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> Double { try pick(in: context).number(in: context) }

    override final func bool(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> Bool { try pick(in: context).bool(in: context) }

    override final func numberIfAny(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> Double? { try pick(in: context).numberIfAny(in: context) }

    override final func index(
        in texts: TextTable, _ context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> Int? { try pick(in: context).index(in: texts, context) }
}

private final class Choice: Picking, @unchecked Sendable {
    private let branches: [(condition: Node, output: Node)]
    private let fallback: Node

    init(_ branches: [(condition: Node, output: Node)], fallback: Node) {
        self.branches = branches
        self.fallback = fallback
        super.init(among: branches.map(\.output) + [fallback])
    }

    override func pick(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Node {
        for branch in branches where try branch.condition.bool(in: context) { return branch.output }
        return fallback
    }
}

private final class Coalesce: Node, @unchecked Sendable {
    private let arguments: [Node]

    init(_ arguments: [Node]) {
        self.arguments = arguments
        super.init(ExpressionType(joining: arguments))
    }

    override func value(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> ExpressionValue {
        for argument in arguments {
            let value = try argument.value(in: context)
            if value != .null { return value }
        }
        return .null
    }
}
