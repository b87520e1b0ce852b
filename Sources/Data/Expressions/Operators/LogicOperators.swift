import JSON

// Logic and choice: ["!", A], ["all", A…], ["any", A…], ["case", CONDITION, OUTPUT, …, FALLBACK],
// ["match", INPUT, LABEL, OUTPUT, …, FALLBACK], ["coalesce", A…].

extension Operator {
    static let not = Operator("!", takes: .exactly(1)) { parser, call throws(ExpressionError) in
        Not(try parser.argument(0, of: call, as: .boolean))
    }

    static let allOf = Operator("all", takes: .atLeast(0)) { parser, call throws(ExpressionError) in
        Operator.all(try parser.arguments(of: call, as: .boolean))
    }

    static let anyOf = Operator("any", takes: .atLeast(0)) { parser, call throws(ExpressionError) in
        Operator.any(try parser.arguments(of: call, as: .boolean))
    }

    static let choose = Operator("case", takes: .atLeast(3)) {
        parser, call throws(ExpressionError) in
        guard call.count % 2 == 1 else {
            throw call.wrongCount(takes: "pairs of condition and output, then a fallback")
        }
        var branches: [(condition: any ExpressionNode, output: any ExpressionNode)] = []
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

final class Not: BoolNode {
    private let argument: any ExpressionNode

    init(_ argument: any ExpressionNode) { self.argument = argument }

    func bool(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Bool {
        try !argument.bool(in: context)
    }
}

/// True if both sides are; the second is evaluated only if needed.
private final class Both: BoolNode {
    private let first: any ExpressionNode
    private let second: any ExpressionNode

    init(_ first: any ExpressionNode, _ second: any ExpressionNode) {
        self.first = first
        self.second = second
    }

    func bool(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Bool {
        guard try first.bool(in: context) else { return false }
        return try second.bool(in: context)
    }
}

/// True if one side is; the second is evaluated only if needed.
private final class Either: BoolNode {
    private let first: any ExpressionNode
    private let second: any ExpressionNode

    init(_ first: any ExpressionNode, _ second: any ExpressionNode) {
        self.first = first
        self.second = second
    }

    func bool(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Bool {
        if try first.bool(in: context) { return true }
        return try second.bool(in: context)
    }
}

extension Operator {
    /// A node that evaluates these in turn until one is false.
    static func all(_ nodes: [any ExpressionNode]) -> any ExpressionNode {
        joining(nodes[...], empty: true, Both.init)
    }

    /// A node that evaluates these in turn until one is true.
    static func any(_ nodes: [any ExpressionNode]) -> any ExpressionNode {
        joining(nodes[...], empty: false, Either.init)
    }

    /// Joins in pairs, because a node is reached faster through a constant than through an array.
    /// The pairs are balanced, so that many arguments do not make a deep tree.
    private static func joining(
        _ nodes: ArraySlice<any ExpressionNode>, empty: Bool,
        _ join: (any ExpressionNode, any ExpressionNode) -> any ExpressionNode
    ) -> any ExpressionNode {
        switch nodes.count {
        case 0: return Literal(.bool(empty))
        case 1: return nodes[nodes.startIndex]
        default:
            let middle = (nodes.startIndex + nodes.endIndex + 1) / 2
            return join(
                joining(nodes[..<middle], empty: empty, join),
                joining(nodes[middle...], empty: empty, join))
        }
    }
}

extension ExpressionType {
    /// The common type of all these nodes, or `value`.
    init(joining nodes: [any ExpressionNode]) {
        let first = nodes.first?.type ?? .value
        self = nodes.allSatisfy { $0.type == first } ? first : .value
    }
}

/// A node that delegates all evaluation to another that it picks, so that numbers stay unboxed.
protocol Picking: ExpressionNode {
    func pick(in context: borrowing EvaluationContext) throws(EvaluationFault) -> any ExpressionNode
}

extension Picking {
    func value(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> ExpressionValue { try pick(in: context).value(in: context) }

    func number(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> Double { try pick(in: context).number(in: context) }

    func bool(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> Bool { try pick(in: context).bool(in: context) }

    func numberIfAny(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> Double? { try pick(in: context).numberIfAny(in: context) }

    func index(
        in texts: TextIndex, _ context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> Int? { try pick(in: context).index(in: texts, context) }
}

private final class Choice: Picking {
    let type: ExpressionType
    private let branches: [(condition: any ExpressionNode, output: any ExpressionNode)]
    private let fallback: any ExpressionNode

    init(
        _ branches: [(condition: any ExpressionNode, output: any ExpressionNode)],
        fallback: any ExpressionNode
    ) {
        self.branches = branches
        self.fallback = fallback
        type = ExpressionType(joining: branches.map(\.output) + [fallback])
    }

    func pick(in context: borrowing EvaluationContext) throws(EvaluationFault)
        -> any ExpressionNode
    {
        for branch in branches where try branch.condition.bool(in: context) { return branch.output }
        return fallback
    }
}

private final class Coalesce: ExpressionNode {
    let type: ExpressionType
    private let arguments: [any ExpressionNode]

    init(_ arguments: [any ExpressionNode]) {
        self.arguments = arguments
        type = ExpressionType(joining: arguments)
    }

    func value(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> ExpressionValue {
        for argument in arguments {
            let value = try argument.value(in: context)
            if value != .null { return value }
        }
        return .null
    }
}
