import JSON

// Operators for texts and arrays: ["length", A], ["at", INDEX, ARRAY], ["in", A, IN], ["index-of",
// A, IN, FROM], ["slice", A, FROM, TO]. Texts are counted in Unicode scalars.

extension Operator {
    static let length = Operator("length", takes: .exactly(1)) {
        parser, call throws(ExpressionError) in
        let argument = try parser.sequence(0, of: call)
        return NumberClosure { context throws(EvaluationFault) in
            Double(try argument.value(in: context).sequence().count)
        }
    }

    static let at = Operator("at", takes: .exactly(2)) { parser, call throws(ExpressionError) in
        let index = try parser.argument(0, of: call, as: .number)
        let array = try parser.argument(1, of: call, as: .array)
        return ValueClosure { context throws(EvaluationFault) in
            let index = try index.number(in: context)
            let elements = try array.elements(in: context)
            guard let index = Int(exactly: index), elements.indices.contains(index) else {
                throw .indexOutOfBounds(index, count: elements.count)
            }
            return elements[index]
        }
    }

    static let contains = Operator("in", takes: .exactly(2)) {
        parser, call throws(ExpressionError) in
        let needle = try parser.argument(0, of: call)
        let haystack = try parser.sequence(1, of: call)
        if let texts = (haystack as? Literal)?.value.asDistinctTexts {
            return IsAmong(needle, texts)
        }
        return BoolClosure { context throws(EvaluationFault) in
            let needle = try needle.value(in: context)
            let haystack = try haystack.value(in: context)
            // An empty or missing haystack contains nothing, not even the empty text.
            guard haystack.isTruthy else { return false }
            try needle.mustBePlain()
            return try haystack.sequence().firstIndex(of: needle, from: 0) != nil
        }
    }

    static let indexOf = Operator("index-of", takes: .between(2, 3)) {
        parser, call throws(ExpressionError) in
        let needle = try parser.argument(0, of: call)
        let haystack = try parser.sequence(1, of: call)
        let from = call.count > 2 ? try parser.argument(2, of: call, as: .number) : nil
        return NumberClosure { context throws(EvaluationFault) in
            let needle = try needle.value(in: context)
            let haystack = try haystack.value(in: context).sequence()
            try needle.mustBePlain()
            let start = haystack.start(try from?.number(in: context) ?? 0)
            return Double(haystack.firstIndex(of: needle, from: start) ?? -1)
        }
    }

    static let slice = Operator("slice", takes: .between(2, 3)) {
        parser, call throws(ExpressionError) in
        let argument = try parser.sequence(0, of: call)
        let start = try parser.argument(1, of: call, as: .number)
        let end = call.count > 2 ? try parser.argument(2, of: call, as: .number) : nil
        return ValueClosure(argument.type) { context throws(EvaluationFault) in
            let sequence = try argument.value(in: context).sequence()
            let from = sequence.clamped(try start.number(in: context))
            let to = sequence.clamped(try end?.number(in: context) ?? .infinity)
            let range = from..<max(from, to)
            switch sequence {
            case .text(let scalars): return .string(String(scalars: scalars[range]))
            case .array(let elements): return .array(Array(elements[range]))
            }
        }
    }
}

extension ExpressionParser {
    /// Parses an argument that must be a text or an array.
    fileprivate mutating func sequence(
        _ index: Int, of call: Call
    ) throws(ExpressionError) -> any ExpressionNode {
        let node = try argument(index, of: call)
        guard [.string, .array, .value].contains(node.type) else {
            throw .wrongType(expected: .array, found: node.type, at: call.path(of: index))
        }
        return node
    }
}

extension ExpressionValue {
    /// The elements, if they are distinct texts.
    fileprivate var asDistinctTexts: [String]? {
        guard case .array(let elements) = self else { return nil }
        let texts = elements.compactMap(\.asString)
        let isDistinct = Set(texts.map { Array($0.utf8) }).count == texts.count
        return texts.count == elements.count && isDistinct ? texts : nil
    }

    /// The value, which must be a text or an array, as a sequence.
    fileprivate func sequence() throws(EvaluationFault) -> ValueSequence {
        switch self {
        case .string(let text): .text(Array(text.unicodeScalars))
        case .array(let elements): .array(elements)
        default: throw .wrongType(expected: .array, found: type)
        }
    }
}

private enum ValueSequence {
    case text([Unicode.Scalar])
    case array([ExpressionValue])

    var count: Int {
        switch self {
        case .text(let scalars): scalars.count
        case .array(let elements): elements.count
        }
    }

    func firstIndex(of needle: ExpressionValue, from start: Int) -> Int? {
        switch self {
        case .text(let scalars):
            scalars.firstIndex(of: Array(needle.asSoughtText.unicodeScalars), from: start)
        case .array(let elements):
            elements.indices.first { $0 >= start && elements[$0].isIdentical(to: needle) }
        }
    }

    /// Where a search starts: in an array negative indices count from the end, in a text they are 0.
    func start(_ from: Double) -> Int {
        switch self {
        case .text: clamped(max(from, 0))
        case .array: clamped(from)
        }
    }

    /// An index as JavaScript's `slice` takes it: negative ones count from the end.
    func clamped(_ index: Double) -> Int {
        guard !index.isNaN else { return 0 }
        let whole = index.rounded(.towardZero)
        let fromStart = whole < 0 ? whole + Double(count) : whole
        return Int(min(max(fromStart, 0), Double(count)))
    }
}

extension ExpressionValue {
    /// The text to search for. Null is not the empty text, which every text contains.
    fileprivate var asSoughtText: String { self == .null ? "null" : asText }

    /// Throws for arrays and objects, which cannot be searched for.
    fileprivate func mustBePlain() throws(EvaluationFault) {
        if type == .array || type == .object { throw .wrongType(expected: .string, found: type) }
    }
}
