import JSON
import Spelling

/// Parses the JSON of an expression into a checked tree.
struct ExpressionParser {
    let role: Expression.Role
    private(set) var attributeNames: [String] = []
    private var slots: [String: Int] = [:]

    /// The variables in scope.
    var variables: [String: Variable] = [:]
    /// The number of nodes that evaluation may visit; a variable is evaluated at every use.
    private var size = 0
    private var depth = 0
    /// The greatest depth so far.
    private var deepest = 0

    /// The value of a variable, and the size and height that each use adds.
    struct Variable {
        var node: any ExpressionNode
        var size: Int
        var height: Int
    }

    init(role: Expression.Role) { self.role = role }

    /// Parses an expression that may have a value of this type.
    mutating func parse(
        _ json: JSONValue, at path: JSONPath, as type: ExpressionType = .value
    ) throws(ExpressionError) -> any ExpressionNode {
        try enter(at: path)
        defer { leave() }
        let node = try node(for: json, at: path)
        try Self.check(node, is: type, at: path)
        return node
    }

    private mutating func node(
        for json: JSONValue, at path: JSONPath
    ) throws(ExpressionError) -> any ExpressionNode {
        switch json {
        case .object:
            throw .wrongLiteral(
                expected: "an expression", found: #"an object; write ["literal", {…}]"#, at: path)
        case .array(let elements):
            let form = #"an operator's name, or ["literal", […]] for an array"#
            guard let first = elements.first else {
                throw .wrongLiteral(expected: form, found: "an empty array", at: path)
            }
            guard case .string(let name) = first else {
                throw .wrongLiteral(expected: form, found: first.kindInWords, at: path[0])
            }
            return try call(
                Call(name: name, arguments: Array(elements.dropFirst()), path: path))
        default: return Literal(json)
        }
    }

    private mutating func call(_ call: Call) throws(ExpressionError) -> any ExpressionNode {
        guard let operation = Operator.named[call.name] else {
            if Operator.drawingOnly.contains(call.name) {
                throw .drawingOnly(call.name, at: call.path)
            }
            let nearest = Operator.all.map(\.name).nearest(to: call.name)
            throw .unknownOperator(call.name, nearest: nearest, at: call.path)
        }
        guard operation.arity.allows(call.count) else {
            throw call.wrongCount(takes: operation.arity.description)
        }
        return try operation.build(&self, call)
    }

    /// Throws unless the node's value has this type, or may have it.
    static func check(
        _ node: any ExpressionNode, is type: ExpressionType, at path: JSONPath
    ) throws(ExpressionError) {
        guard type == .value || node.type == .value || node.type == type else {
            throw .wrongType(expected: type, found: node.type, at: path)
        }
    }

    /// Counts one more level of the tree until `leave`.
    mutating func enter(at path: JSONPath) throws(ExpressionError) {
        try grow(by: 1, height: 1, at: path)
        depth += 1
    }

    mutating func leave() { depth -= 1 }

    /// Parses the value of a variable.
    mutating func variable(
        _ index: Int, of call: Call
    ) throws(ExpressionError) -> Variable {
        let (sizeBefore, deepestBefore) = (size, deepest)
        deepest = depth
        let node = try argument(index, of: call)
        let variable = Variable(node: node, size: size - sizeBefore, height: deepest - depth)
        deepest = max(deepest, deepestBefore)
        return variable
    }

    /// The node of a variable at one of its uses.
    mutating func use(
        _ variable: Variable, at path: JSONPath
    ) throws(ExpressionError) -> any ExpressionNode {
        try grow(by: variable.size, height: variable.height, at: path)
        return variable.node
    }

    private mutating func grow(
        by count: Int, height: Int, at path: JSONPath
    ) throws(ExpressionError) {
        size += count
        deepest = max(deepest, depth + height)
        guard deepest <= Expression.nestingLimit else {
            throw .nestedTooDeeply(limit: Expression.nestingLimit, at: path)
        }
        guard size <= Expression.sizeLimit else {
            throw .tooLarge(limit: Expression.sizeLimit, at: path)
        }
    }

    /// The number by which evaluation finds an attribute; 0 is for computed names.
    mutating func slot(for name: String) -> Int {
        if let slot = slots[name] { return slot }
        attributeNames.append(name)
        slots[name] = attributeNames.count
        return attributeNames.count
    }
}

extension ExpressionParser {
    /// Parses the argument at `index`.
    mutating func argument(
        _ index: Int, of call: Call, as type: ExpressionType = .value
    ) throws(ExpressionError) -> any ExpressionNode {
        try parse(call.arguments[index], at: call.path(of: index), as: type)
    }

    /// Parses all arguments from `start` on.
    mutating func arguments(
        of call: Call, from start: Int = 0, as type: ExpressionType = .value
    ) throws(ExpressionError) -> [any ExpressionNode] {
        var nodes: [any ExpressionNode] = []
        for index in start..<call.count { nodes.append(try argument(index, of: call, as: type)) }
        return nodes
    }
}
