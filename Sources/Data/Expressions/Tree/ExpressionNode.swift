import Basics
import JSON

/// A part of a checked expression. Nodes are immutable.
///
/// Most nodes are a closure that yields a number, a truth value, a text or any value. Those that most
/// filters consist of are classes of their own, which answer two nanoseconds sooner. A caller that needs
/// a number calls `number`, so that no number is boxed and the call includes the assertion that the
/// specification puts around such arguments.
protocol ExpressionNode: AnyObject, Sendable {
    var type: ExpressionType { get }

    func value(in context: borrowing EvaluationContext) throws(EvaluationFault) -> ExpressionValue
    func number(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Double
    func bool(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Bool
    func text(in context: borrowing EvaluationContext) throws(EvaluationFault) -> String
    /// The number, or nil if the value has another type.
    func numberIfAny(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Double?
    /// The index of the node's text in the table, if it is there.
    func index(
        in texts: ByteNumbers, _ context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> Int?
}

// A node that implements `value` derives all other functions from it.
extension ExpressionNode {
    func number(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Double {
        try value(in: context).asserted(.number) { $0.asNumber }
    }

    func bool(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Bool {
        try value(in: context).asserted(.boolean) { $0.asBool }
    }

    func text(in context: borrowing EvaluationContext) throws(EvaluationFault) -> String {
        try value(in: context).asserted(.string) { $0.asString }
    }

    func elements(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> [ExpressionValue] {
        try value(in: context).asserted(.array) { $0.asArray }
    }

    func numberIfAny(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Double? {
        try value(in: context).asNumber
    }

    func index(
        in texts: ByteNumbers, _ context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> Int? {
        guard case .string(let text) = try value(in: context) else { return nil }
        return texts.find(text.utf8.span)
    }
}

/// What a node does to yield its value.
typealias Evaluation<Value> =
    @Sendable (borrowing EvaluationContext) throws(EvaluationFault) -> Value

/// A node whose value is a number: it must implement `number`.
protocol NumberNode: ExpressionNode {}

extension NumberNode {
    var type: ExpressionType { .number }

    func value(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> ExpressionValue {
        ExpressionValue(canonical: try number(in: context))
    }

    func numberIfAny(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> Double? { try number(in: context) }
}

/// A node that yields a number.
final class NumberClosure: NumberNode {
    private let evaluate: Evaluation<Double>

    init(_ evaluate: @escaping Evaluation<Double>) { self.evaluate = evaluate }

    func number(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Double {
        try evaluate(context)
    }
}

/// A node whose value is true or false: it must implement `bool`.
protocol BoolNode: ExpressionNode {}

extension BoolNode {
    var type: ExpressionType { .boolean }

    func value(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> ExpressionValue { .bool(try bool(in: context)) }
}

/// A node that yields true or false.
final class BoolClosure: BoolNode {
    private let evaluate: Evaluation<Bool>

    init(_ evaluate: @escaping Evaluation<Bool>) { self.evaluate = evaluate }

    func bool(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Bool {
        try evaluate(context)
    }
}

/// A node that yields a text.
final class TextClosure: ExpressionNode {
    let type = ExpressionType.string
    private let evaluate: Evaluation<String>

    init(_ evaluate: @escaping Evaluation<String>) { self.evaluate = evaluate }

    func value(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> ExpressionValue { .string(try evaluate(context)) }

    func text(in context: borrowing EvaluationContext) throws(EvaluationFault) -> String {
        try evaluate(context)
    }
}

/// A node that yields a value of any type, or of one that is none of those above.
final class ValueClosure: ExpressionNode {
    let type: ExpressionType
    private let evaluate: Evaluation<ExpressionValue>

    init(_ type: ExpressionType = .value, _ evaluate: @escaping Evaluation<ExpressionValue>) {
        self.type = type
        self.evaluate = evaluate
    }

    func value(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> ExpressionValue { try evaluate(context) }
}

/// A literal value.
final class Literal: ExpressionNode {
    let type: ExpressionType
    let value: ExpressionValue
    private let asNumber: Double?

    init(_ value: ExpressionValue) {
        self.value = value
        asNumber = value.asNumber
        type = value.type
    }

    func value(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> ExpressionValue { value }

    func number(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Double {
        guard let asNumber else { throw .wrongType(expected: .number, found: type) }
        return asNumber
    }
}
