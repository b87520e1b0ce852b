import JSON

// ["concat", A, …], ["upcase", A], ["downcase", A], ["split", A, SEPARATOR], ["join", ARRAY, SEPARATOR]

extension Operator {
    static let concat = Operator("concat", takes: .atLeast(1)) {
        parser, call throws(ExpressionError) in
        Concatenation(try parser.arguments(of: call))
    }

    static let upcase = Operator("upcase", takes: .exactly(1)) {
        parser, call throws(ExpressionError) in
        CaseMapping(try parser.argument(0, of: call, as: .string)) { $0.uppercased() }
    }

    static let downcase = Operator("downcase", takes: .exactly(1)) {
        parser, call throws(ExpressionError) in
        CaseMapping(try parser.argument(0, of: call, as: .string)) { $0.lowercased() }
    }

    static let split = Operator("split", takes: .exactly(2)) {
        parser, call throws(ExpressionError) in
        Split(
            try parser.argument(0, of: call, as: .string),
            separator: try parser.argument(1, of: call, as: .string))
    }

    static let join = Operator("join", takes: .exactly(2)) { parser, call throws(ExpressionError) in
        Join(
            try parser.argument(0, of: call, as: .array),
            separator: try parser.argument(1, of: call, as: .string))
    }
}

private final class Concatenation: TextNode {
    private let arguments: [any ExpressionNode]

    init(_ arguments: [any ExpressionNode]) { self.arguments = arguments }

    func text(in context: borrowing EvaluationContext) throws(EvaluationFault) -> String {
        var text = ""
        for argument in arguments { text += try argument.value(in: context).asText }
        return text
    }
}

private final class CaseMapping: TextNode {
    private let argument: any ExpressionNode
    private let apply: @Sendable (String) -> String

    init(_ argument: any ExpressionNode, _ apply: @escaping @Sendable (String) -> String) {
        self.argument = argument
        self.apply = apply
    }

    func text(in context: borrowing EvaluationContext) throws(EvaluationFault) -> String {
        apply(try argument.text(in: context))
    }
}

private final class Split: ExpressionNode {
    let type: ExpressionType
    private let argument: any ExpressionNode
    private let separator: any ExpressionNode

    init(_ argument: any ExpressionNode, separator: any ExpressionNode) {
        self.argument = argument
        self.separator = separator
        type = .array
    }

    func value(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> ExpressionValue {
        let text = Array(try argument.text(in: context).unicodeScalars)
        let separator = Array(try separator.text(in: context).unicodeScalars)
        // Without a separator every character is a part.
        if separator.isEmpty { return .array(text.map { .string(String($0)) }) }
        var parts: [ExpressionValue] = []
        var start = 0
        while let end = text.firstIndex(of: separator, from: start) {
            parts.append(.string(String(scalars: text[start..<end])))
            start = end + separator.count
        }
        parts.append(.string(String(scalars: text[start...])))
        return .array(parts)
    }
}

private final class Join: TextNode {
    private let array: any ExpressionNode
    private let separator: any ExpressionNode

    init(_ array: any ExpressionNode, separator: any ExpressionNode) {
        self.array = array
        self.separator = separator
    }

    func text(in context: borrowing EvaluationContext) throws(EvaluationFault) -> String {
        let parts = try array.elements(in: context).map(\.asText)
        return parts.joined(separator: try separator.text(in: context))
    }
}

extension String {
    init(scalars: some Sequence<Unicode.Scalar>) {
        self.init()
        unicodeScalars.append(contentsOf: scalars)
    }
}

extension [Unicode.Scalar] {
    /// The first occurrence of `other` at `start` or later.
    /// - Complexity: O(count × other.count).
    func firstIndex(of other: [Unicode.Scalar], from start: Int) -> Int? {
        guard start + other.count <= count else { return nil }
        return (start...(count - other.count)).first { index in
            other.indices.allSatisfy { self[index + $0] == other[$0] }
        }
    }
}
