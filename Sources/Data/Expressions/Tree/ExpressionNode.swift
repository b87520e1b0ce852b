import JSON

/// A part of a checked expression. Nodes are immutable.
///
/// A node implements `value`, or one of the typed functions as a `NumberNode`, `BoolNode` or
/// `TextNode`. A caller that needs a number calls `number`, so that no number is boxed and the call
/// includes the assertion that the specification puts around such arguments.
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
        in texts: TextIndex, _ context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> Int?
}

// A node that implements `value` derives all other functions from it.
extension ExpressionNode {
    func number(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Double {
        let value = try value(in: context)
        guard let number = value.asNumber else {
            throw .wrongType(expected: .number, found: value.type)
        }
        return number
    }

    func bool(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Bool {
        let value = try value(in: context)
        guard case .bool(let bool) = value else {
            throw .wrongType(expected: .boolean, found: value.type)
        }
        return bool
    }

    func text(in context: borrowing EvaluationContext) throws(EvaluationFault) -> String {
        let value = try value(in: context)
        guard case .string(let text) = value else {
            throw .wrongType(expected: .string, found: value.type)
        }
        return text
    }

    func elements(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> [ExpressionValue] {
        let value = try value(in: context)
        guard case .array(let elements) = value else {
            throw .wrongType(expected: .array, found: value.type)
        }
        return elements
    }

    func numberIfAny(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Double? {
        try value(in: context).asNumber
    }

    func index(
        in texts: TextIndex, _ context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> Int? {
        guard case .string(let text) = try value(in: context) else { return nil }
        return texts.index(of: text.utf8.span)
    }
}

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

/// A node whose value is true or false: it must implement `bool`.
protocol BoolNode: ExpressionNode {}

extension BoolNode {
    var type: ExpressionType { .boolean }

    func value(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> ExpressionValue { .bool(try bool(in: context)) }
}

/// A node whose value is a text: it must implement `text`.
protocol TextNode: ExpressionNode {}

extension TextNode {
    var type: ExpressionType { .string }

    func value(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> ExpressionValue { .string(try text(in: context)) }
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
