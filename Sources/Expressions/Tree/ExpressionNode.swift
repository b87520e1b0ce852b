import JSON

/// A part of a checked expression. Nodes never change once they are made.
///
/// A subclass overrides `value`, or one of the typed questions through `NumberNode`, `BoolNode` or
/// `TextNode`. Whoever needs a number asks for a number, so that none is boxed on the way and the
/// assertion that the specification puts around such arguments is part of the question.
class ExpressionNode: @unchecked Sendable {
    let type: ExpressionType

    init(_ type: ExpressionType) { self.type = type }

    func value(in context: borrowing EvaluationContext) throws(EvaluationFault) -> ExpressionValue {
        preconditionFailure("a node must say its value")
    }

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

    /// The number, or nil for a value of another type.
    func numberIfAny(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Double? {
        try value(in: context).asNumber
    }

    /// The index in the table of the text that this is, if it is one of them.
    func index(
        in texts: TextIndex, _ context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> Int? {
        guard case .string(let text) = try value(in: context) else { return nil }
        return texts.index(of: text.utf8.span)
    }
}

/// A node that yields numbers.
class NumberNode: ExpressionNode, @unchecked Sendable {
    init() { super.init(.number) }

    override func value(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> ExpressionValue {
        ExpressionValue(canonical: try number(in: context))
    }

    override func number(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Double
    {
        preconditionFailure("a number node must say its number")
    }

    override func numberIfAny(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> Double? { try number(in: context) }
}

/// A node that yields true or false.
class BoolNode: ExpressionNode, @unchecked Sendable {
    init() { super.init(.boolean) }

    override func value(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> ExpressionValue { .bool(try bool(in: context)) }

    override func bool(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Bool {
        preconditionFailure("a boolean node must say its boolean")
    }
}

/// A node that yields texts.
class TextNode: ExpressionNode, @unchecked Sendable {
    init() { super.init(.string) }

    override func value(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> ExpressionValue { .string(try text(in: context)) }

    override func text(in context: borrowing EvaluationContext) throws(EvaluationFault) -> String {
        preconditionFailure("a text node must say its text")
    }
}

/// A value that is written out.
final class Literal: ExpressionNode, @unchecked Sendable {
    let value: ExpressionValue
    private let asNumber: Double?

    init(_ value: ExpressionValue) {
        self.value = value
        asNumber = value.asNumber
        super.init(value.type)
    }

    override func value(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> ExpressionValue { value }

    override func number(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Double
    {
        guard let asNumber else { throw .wrongType(expected: .number, found: type) }
        return asNumber
    }
}
