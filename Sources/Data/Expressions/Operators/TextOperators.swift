import JSON

// ["concat", A, …], ["upcase", A], ["downcase", A], ["split", A, SEPARATOR], ["join", ARRAY, SEPARATOR]

extension Operator {
    static let concat = Operator("concat", takes: .atLeast(1)) {
        parser, call throws(ExpressionError) in
        let arguments = try parser.arguments(of: call)
        return TextClosure { context throws(EvaluationFault) in
            var text = ""
            for argument in arguments { text += try argument.value(in: context).asText }
            return text
        }
    }

    static let upcase = mapping("upcase") { $0.uppercased() }
    static let downcase = mapping("downcase") { $0.lowercased() }

    private static func mapping(
        _ name: String, _ apply: @escaping @Sendable (String) -> String
    ) -> Operator {
        Operator(name, takes: .exactly(1)) { parser, call throws(ExpressionError) in
            let argument = try parser.argument(0, of: call, as: .string)
            return TextClosure { context throws(EvaluationFault) in
                apply(try argument.text(in: context))
            }
        }
    }

    static let split = Operator("split", takes: .exactly(2)) {
        parser, call throws(ExpressionError) in
        let argument = try parser.argument(0, of: call, as: .string)
        let separator = try parser.argument(1, of: call, as: .string)
        return ValueClosure(.array) { context throws(EvaluationFault) in
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

    static let join = Operator("join", takes: .exactly(2)) { parser, call throws(ExpressionError) in
        let array = try parser.argument(0, of: call, as: .array)
        let separator = try parser.argument(1, of: call, as: .string)
        return TextClosure { context throws(EvaluationFault) in
            let parts = try array.elements(in: context).map(\.asText)
            return parts.joined(separator: try separator.text(in: context))
        }
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
