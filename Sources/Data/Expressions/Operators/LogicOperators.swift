import Basics
import JSON

// Logic and choice: ["!", A], ["all", A…], ["any", A…], ["case", CONDITION, OUTPUT, …, FALLBACK],
// ["match", INPUT, LABEL, OUTPUT, …, FALLBACK], ["coalesce", A…].

extension Operator {
    static let not = Operator("!", takes: .exactly(1)) { parser, call throws(ExpressionError) in
        negation(of: try parser.argument(0, of: call, as: .boolean))
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
        var conditions: [any ExpressionNode] = []
        var outputs: [any ExpressionNode] = []
        for index in stride(from: 0, to: call.count - 1, by: 2) {
            conditions.append(try parser.argument(index, of: call, as: .boolean))
            outputs.append(try parser.argument(index + 1, of: call))
        }
        outputs.append(try parser.argument(call.count - 1, of: call))
        return Picking(outputs) { [conditions] context throws(EvaluationFault) in
            for index in conditions.indices where try conditions[index].bool(in: context) {
                return index
            }
            return conditions.count
        }
    }

    static let coalesce = Operator("coalesce", takes: .atLeast(1)) {
        parser, call throws(ExpressionError) in
        let arguments = try parser.arguments(of: call)
        return ValueClosure(ExpressionType(joining: arguments)) { context throws(EvaluationFault) in
            for argument in arguments {
                let value = try argument.value(in: context)
                if value != .null { return value }
            }
            return .null
        }
    }
}

extension Operator {
    static func negation(of node: any ExpressionNode) -> any ExpressionNode {
        BoolClosure { context throws(EvaluationFault) in try !node.bool(in: context) }
    }

    /// A node that evaluates these in turn until one is false.
    static func all(_ nodes: [any ExpressionNode]) -> any ExpressionNode {
        joining(nodes[...], endingAt: false)
    }

    /// A node that evaluates these in turn until one is true.
    static func any(_ nodes: [any ExpressionNode]) -> any ExpressionNode {
        joining(nodes[...], endingAt: true)
    }

    /// Joins in pairs, because a node is reached faster through a constant than through an array.
    /// The pairs are balanced, so that many arguments do not make a deep tree.
    private static func joining(
        _ nodes: ArraySlice<any ExpressionNode>, endingAt decisive: Bool
    ) -> any ExpressionNode {
        switch nodes.count {
        case 0: return Literal(.bool(!decisive))
        case 1: return nodes[nodes.startIndex]
        default:
            let middle = (nodes.startIndex + nodes.endIndex + 1) / 2
            return Joined(
                joining(nodes[..<middle], endingAt: decisive),
                joining(nodes[middle...], endingAt: decisive), endingAt: decisive)
        }
    }
}

/// Whether both are true, or whether one is: if the first settles that, the second is not evaluated.
private final class Joined: BoolNode {
    private let first: any ExpressionNode
    private let second: any ExpressionNode
    /// The value that settles it.
    private let decisive: Bool

    init(
        _ first: any ExpressionNode, _ second: any ExpressionNode, endingAt decisive: Bool
    ) {
        self.first = first
        self.second = second
        self.decisive = decisive
    }

    func bool(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Bool {
        if try first.bool(in: context) == decisive { return decisive }
        return try second.bool(in: context)
    }
}

extension ExpressionType {
    /// The common type of all these nodes, or `value`.
    init(joining nodes: [any ExpressionNode]) {
        let first = nodes.first?.type ?? .value
        self = nodes.allSatisfy { $0.type == first } ? first : .value
    }
}

/// A node that delegates all evaluation to the output that it picks, so that numbers stay unboxed.
final class Picking: ExpressionNode {
    let type: ExpressionType
    private let outputs: [any ExpressionNode]
    private let pick: Evaluation<Int>

    /// - Parameter pick: yields the index of an output.
    init(_ outputs: [any ExpressionNode], _ pick: @escaping Evaluation<Int>) {
        self.outputs = outputs
        self.pick = pick
        type = ExpressionType(joining: outputs)
    }

    func value(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> ExpressionValue {
        try outputs[try pick(context)].value(in: context)
    }

    func number(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Double {
        try outputs[try pick(context)].number(in: context)
    }

    func bool(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Bool {
        try outputs[try pick(context)].bool(in: context)
    }

    func numberIfAny(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Double? {
        try outputs[try pick(context)].numberIfAny(in: context)
    }

    func index(
        in texts: ByteNumbers, _ context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> Int? {
        try outputs[try pick(context)].index(in: texts, context)
    }
}
