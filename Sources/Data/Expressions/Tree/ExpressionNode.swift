import JSON

/// A part of a checked expression. Nodes never change once they are made.
///
/// A node says its `value`, or answers one of the typed questions as a `NumberNode`, `BoolNode` or
/// `TextNode`. A caller that needs a number asks for a number, so that none is boxed on the way and the
/// assertion that the specification puts around such arguments is part of the question.
protocol ExpressionNode: AnyObject, Sendable {
    var type: ExpressionType { get }

    func value(in context: borrowing EvaluationContext) throws(EvaluationFault) -> ExpressionValue
    func number(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Double
    func bool(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Bool
    func text(in context: borrowing EvaluationContext) throws(EvaluationFault) -> String
    /// The number, or nil for a value of another type.
    func numberIfAny(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Double?
    /// The index in the table of the text that this is, if it is one of them.
    func index(
        in texts: TextIndex, _ context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> Int?
}

// A node that says its value answers all questions by it.
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

/// A node that yields numbers: it must say its number.
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

/// A node that yields true or false: it must say which.
protocol BoolNode: ExpressionNode {}

extension BoolNode {
    var type: ExpressionType { .boolean }

    func value(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> ExpressionValue { .bool(try bool(in: context)) }
}

/// A node that yields texts: it must say its text.
protocol TextNode: ExpressionNode {}

extension TextNode {
    var type: ExpressionType { .string }

    func value(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> ExpressionValue { .string(try text(in: context)) }
}

/// A value that is written out.
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
