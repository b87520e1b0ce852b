import Basics
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
        let fallback = outputs.count - 1
        if labels.numbers.isEmpty {
            let (texts, branches) = (ByteNumbers(labels.texts), labels.textBranches)
            return Picking(outputs) { context throws(EvaluationFault) in
                try input.index(in: texts, context).map { branches[$0] } ?? fallback
            }
        }
        let branches = labels.numbers
        return Picking(outputs) { context throws(EvaluationFault) in
            try input.numberIfAny(in: context).flatMap { branches[$0] } ?? fallback
        }
    }
}

/// The labels of a `match`: all texts, or all whole numbers.
private struct MatchLabels {
    var texts: [String] = []
    /// The bytes of the texts: letters that look alike may differ.
    private var known: Set<[UInt8]> = []
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
            guard known.insert(Array(text.utf8)).inserted else {
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
