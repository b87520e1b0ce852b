import JSON

// The filters that preceded expressions: ["==", "kind", "cafe"], ["in", KEY, VALUE, …], ["none", FILTER…].
// They are distinguished from expressions by shape alone, as in the specification's clients.

extension ExpressionParser {
    /// Parses a filter, of either language.
    mutating func filter(
        _ json: JSONValue, at path: JSONPath
    ) throws(ExpressionError) -> any ExpressionNode {
        guard case .array(let elements) = json, case .string(let name)? = elements.first,
            Self.isLegacy(elements)
        else {
            // A missing filter accepts everything.
            return json == .null ? Literal(true) : try parse(json, at: path, as: .boolean)
        }
        return try legacy(Call(name: name, arguments: Array(elements.dropFirst()), path: path))
    }

    static func isLegacy(_ elements: [JSONValue]) -> Bool {
        let count = elements.count
        switch elements[0].asString {
        case "has":
            return count >= 2 && ["$id", "$type", "$zoom"].contains(elements[1])
        case "in":
            return count < 3 || (elements[1].asString != nil && elements[2].asArray == nil)
        case "!in", "!has", "none":
            return true
        case "==", "!=", ">", ">=", "<", "<=":
            return count == 3 && elements[1].asArray == nil && elements[2].asArray == nil
        case "any", "all":
            return elements.dropFirst().contains { element in
                element.asArray.map { !$0.isEmpty && isLegacy($0) } ?? false
            }
        default:
            return false
        }
    }

    private mutating func legacy(_ call: Call) throws(ExpressionError) -> any ExpressionNode {
        switch call.name {
        case "all": return Operator.all(try filters(of: call))
        case "any": return Operator.any(try filters(of: call))
        case "none": return Operator.negation(of: Operator.any(try filters(of: call)))
        case "has": return try legacyHas(call)
        case "!has": return Operator.negation(of: try legacyHas(call))
        case "in": return try legacyIn(call)
        case "!in": return Operator.negation(of: try legacyIn(call))
        case "==": return try legacyEquality(call)
        case "!=": return Operator.negation(of: try legacyEquality(call))
        default: return try legacyOrder(call)
        }
    }

    private mutating func filters(of call: Call) throws(ExpressionError) -> [any ExpressionNode] {
        var nodes: [any ExpressionNode] = []
        for (index, filter) in call.arguments.enumerated() {
            try enter(at: call.path(of: index))
            nodes.append(try self.filter(filter, at: call.path(of: index)))
            leave()
        }
        return nodes
    }

    /// The key that a filter tests: `KEY`, `$id` or `$type`.
    private func key(of call: Call) throws(ExpressionError) -> String {
        let key = try call.literalText(0, expected: "an attribute's name")
        if key == "$zoom" { throw .drawingOnly(key, at: call.path(of: 0)) }
        return key
    }

    /// The node that reads the key.
    private mutating func subject(of call: Call) throws(ExpressionError) -> any ExpressionNode {
        switch try key(of: call) {
        case "$id": return Operator.featureID
        case "$type": return Literal("Point")
        case let key: return Get(slot: slot(for: key))
        }
    }

    private mutating func legacyHas(_ call: Call) throws(ExpressionError) -> any ExpressionNode {
        guard call.count == 1 else { throw call.wrongCount(takes: "1 argument") }
        switch try key(of: call) {
        case "$id":
            return Operator.negation(of: Operator.equality(Operator.featureID, Literal(.null)))
        case "$type": return Literal(true)
        case let key: return Operator.hasAttribute(slot: slot(for: key))
        }
    }

    private mutating func legacyIn(_ call: Call) throws(ExpressionError) -> any ExpressionNode {
        guard call.count >= 1 else { throw call.wrongCount(takes: "at least 1 argument") }
        let values = call.arguments.dropFirst()
        for (index, value) in values.enumerated() { try Self.checkPlain(value, index + 1, call) }
        var tests: [any ExpressionNode] = []
        for value in values { tests.append(try equality(of: call, to: value)) }
        return Operator.any(tests)
    }

    private mutating func legacyEquality(_ call: Call) throws(ExpressionError) -> any ExpressionNode
    {
        try Self.checkPlain(call.arguments[1], 1, call)
        return try equality(of: call, to: call.arguments[1])
    }

    /// Whether the subject has this value. A missing attribute is not null here, because JavaScript
    /// compares strictly.
    private mutating func equality(
        of call: Call, to value: JSONValue
    ) throws(ExpressionError) -> any ExpressionNode {
        let subject = try subject(of: call)
        if value == .null, let slot = (subject as? Get)?.slot {
            return BoolClosure { context throws(EvaluationFault) in
                context.property(slot).map { $0 == .null } ?? context.isNull(slot)
            }
        }
        return Operator.equality(subject, Literal(value))
    }

    /// An ordering of the old filters: false, not a fault, if the types differ.
    private mutating func legacyOrder(_ call: Call) throws(ExpressionError) -> any ExpressionNode {
        guard let order = Operator.orders[call.name], call.count == 2 else {
            throw call.wrongCount(takes: "2 arguments")
        }
        let type = call.arguments[1].type
        guard type == .number || type == .string else {
            throw call.wrongLiteral(1, expected: "a number or a string")
        }
        let subject = try subject(of: call)
        if let bound = call.arguments[1].asNumber {
            return BoolClosure { context throws(EvaluationFault) in
                try subject.numberIfAny(in: context).map { order.numbers($0, bound) } ?? false
            }
        }
        let bound = call.arguments[1].asText
        return BoolClosure { context throws(EvaluationFault) in
            try subject.value(in: context).asString.map { order.holds($0, bound) } ?? false
        }
    }

    private static func checkPlain(
        _ value: JSONValue, _ index: Int, _ call: Call
    ) throws(ExpressionError) {
        if value.asArray != nil || value.asObject != nil {
            throw call.wrongLiteral(index, expected: "a plain value")
        }
    }
}

extension Expression {
    /// Whether a filter is in the language that preceded expressions, which `filter` also reads.
    public static func isLegacyFilter(_ json: JSONValue) -> Bool {
        json.asArray.map { !$0.isEmpty && ExpressionParser.isLegacy($0) } ?? false
    }
}
