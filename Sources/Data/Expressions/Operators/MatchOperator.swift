import JSON

// ["match", INPUT, LABEL or [LABEL…], OUTPUT, …, FALLBACK]

extension Operator {
    static let match = Operator("match", takes: .atLeast(4)) {
        parser, call throws(ExpressionError) in
        guard call.count % 2 == 0 else {
            throw call.wrongCount(takes: "an input, pairs of label and output, then a fallback")
        }
        let input = try parser.argument(0, of: call)
        var labels = MatchLabels()
        var outputs: [any ExpressionNode] = []
        for index in stride(from: 1, to: call.count - 1, by: 2) {
            try labels.add(call.arguments[index], at: call.path(of: index), branch: outputs.count)
            outputs.append(try parser.argument(index + 1, of: call))
        }
        outputs.append(try parser.argument(call.count - 1, of: call))
        let labelType: ExpressionType = labels.numbers.isEmpty ? .string : .number
        try ExpressionParser.check(input, is: labelType, at: call.path(of: 0))
        return Match(input, labels, outputs)
    }
}

/// The labels of a `match`: all texts, or all whole numbers.
private struct MatchLabels {
    var texts: [String] = []
    /// The branches of the texts.
    var textBranches: [Int] = []
    /// The branches of the numbers.
    var numbers: [Double: Int] = [:]

    mutating func add(
        _ label: JSONValue, at path: JSONPath, branch: Int
    ) throws(ExpressionError) {
        guard case .array(let labels) = label else {
            return try add(one: label, at: path, branch: branch)
        }
        guard !labels.isEmpty else {
            throw .wrongLiteral(expected: "at least one label", found: "an empty array", at: path)
        }
        for (index, label) in labels.enumerated() {
            try add(one: label, at: path[index], branch: branch)
        }
    }

    private mutating func add(
        one label: JSONValue, at path: JSONPath, branch: Int
    ) throws(ExpressionError) {
        switch label {
        case .string(let text) where numbers.isEmpty:
            guard !texts.contains(where: { $0.utf8.elementsEqual(text.utf8) }) else {
                throw .duplicateLabel(label.text(), at: path)
            }
            texts.append(text)
            textBranches.append(branch)
        case .integer(let integer) where texts.isEmpty && integer.magnitude < 1 << 53:
            guard numbers.updateValue(branch, forKey: Double(integer)) == nil else {
                throw .duplicateLabel(label.text(), at: path)
            }
        default:
            throw .wrongLiteral(
                expected: numbers.isEmpty && texts.isEmpty
                    ? "a text or a whole number as label"
                    : texts.isEmpty
                        ? "a whole number as label, as before" : "a text as label, as before",
                found: label.asNumber != nil ? label.text() : label.kindInWords, at: path)
        }
    }
}

private final class Match: Picking {
    let type: ExpressionType
    private let input: any ExpressionNode
    private let texts: TextIndex
    private let textBranches: [Int]
    private let numbers: [Double: Int]
    /// The last one is the fallback.
    private let outputs: [any ExpressionNode]

    init(_ input: any ExpressionNode, _ labels: MatchLabels, _ outputs: [any ExpressionNode]) {
        self.input = input
        self.outputs = outputs
        texts = TextIndex(labels.texts)
        textBranches = labels.textBranches
        numbers = labels.numbers
        type = ExpressionType(joining: outputs)
    }

    func pick(in context: borrowing EvaluationContext) throws(EvaluationFault)
        -> any ExpressionNode
    {
        if numbers.isEmpty {
            guard let index = try input.index(in: texts, context) else { return fallback }
            return outputs[textBranches[index]]
        }
        guard let number = try input.numberIfAny(in: context) else { return fallback }
        return outputs[numbers[number] ?? outputs.count - 1]
    }

    private var fallback: any ExpressionNode { outputs[outputs.count - 1] }
}
