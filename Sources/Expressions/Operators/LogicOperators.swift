import JSON

// Logic and choice: ["!", A], ["all", A…], ["any", A…], ["case", CONDITION, OUTPUT, …, FALLBACK],
// ["match", INPUT, LABEL, OUTPUT, …, FALLBACK], ["coalesce", A…].

extension Operator {
    static let not = Operator("!", takes: .exactly(1)) { parser, call throws(ExpressionError) in
        Not(try parser.argument(0, of: call, as: .boolean))
    }

    static let allOf = Operator("all", takes: .atLeast(0)) { parser, call throws(ExpressionError) in
        ExpressionNode.all(try parser.arguments(of: call, as: .boolean))
    }

    static let anyOf = Operator("any", takes: .atLeast(0)) { parser, call throws(ExpressionError) in
        ExpressionNode.any(try parser.arguments(of: call, as: .boolean))
    }

    static let choose = Operator("case", takes: .atLeast(3)) {
        parser, call throws(ExpressionError) in
        guard call.count % 2 == 1 else {
            throw call.wrongCount(takes: "pairs of condition and output, then a fallback")
        }
        var branches: [(condition: ExpressionNode, output: ExpressionNode)] = []
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
    private let argument: ExpressionNode

    init(_ argument: ExpressionNode) { self.argument = argument }

    override func bool(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Bool {
        try !argument.bool(in: context)
    }
}

/// True where both sides are; the second is asked only if need be.
private final class Both: BoolNode, @unchecked Sendable {
    private let first: ExpressionNode
    private let second: ExpressionNode

    init(_ first: ExpressionNode, _ second: ExpressionNode) {
        self.first = first
        self.second = second
    }

    override func bool(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Bool {
        guard try first.bool(in: context) else { return false }
        return try second.bool(in: context)
    }
}

/// True where one side is; the second is asked only if need be.
private final class Either: BoolNode, @unchecked Sendable {
    private let first: ExpressionNode
    private let second: ExpressionNode

    init(_ first: ExpressionNode, _ second: ExpressionNode) {
        self.first = first
        self.second = second
    }

    override func bool(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Bool {
        if try first.bool(in: context) { return true }
        return try second.bool(in: context)
    }
}

extension ExpressionNode {
    /// The node that asks all of these in turn until one is false.
    static func all(_ nodes: [ExpressionNode]) -> ExpressionNode {
        joining(nodes[...], empty: true, Both.init)
    }

    /// The node that asks all of these in turn until one is true.
    static func any(_ nodes: [ExpressionNode]) -> ExpressionNode {
        joining(nodes[...], empty: false, Either.init)
    }

    /// Joins in pairs, for a node is reached faster through a constant than through an array. The
    /// pairs are balanced, so that many arguments do not make a deep tree.
    private static func joining(
        _ nodes: ArraySlice<ExpressionNode>, empty: Bool,
        _ join: (ExpressionNode, ExpressionNode) -> ExpressionNode
    ) -> ExpressionNode {
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
    /// The one type of all these nodes, or `value`.
    init(joining nodes: [ExpressionNode]) {
        let first = nodes.first?.type ?? .value
        self = nodes.allSatisfy { $0.type == first } ? first : .value
    }
}

/// A node that hands all questions on to another that it picks, so that numbers stay unboxed.
class Picking: ExpressionNode, @unchecked Sendable {
    init(among nodes: [ExpressionNode]) { super.init(ExpressionType(joining: nodes)) }

    func pick(in context: borrowing EvaluationContext) throws(EvaluationFault) -> ExpressionNode {
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
        in texts: TextIndex, _ context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> Int? { try pick(in: context).index(in: texts, context) }
}

private final class Choice: Picking, @unchecked Sendable {
    private let branches: [(condition: ExpressionNode, output: ExpressionNode)]
    private let fallback: ExpressionNode

    init(
        _ branches: [(condition: ExpressionNode, output: ExpressionNode)], fallback: ExpressionNode
    ) {
        self.branches = branches
        self.fallback = fallback
        super.init(among: branches.map(\.output) + [fallback])
    }

    override func pick(in context: borrowing EvaluationContext) throws(EvaluationFault)
        -> ExpressionNode
    {
        for branch in branches where try branch.condition.bool(in: context) { return branch.output }
        return fallback
    }
}

private final class Coalesce: ExpressionNode, @unchecked Sendable {
    private let arguments: [ExpressionNode]

    init(_ arguments: [ExpressionNode]) {
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
