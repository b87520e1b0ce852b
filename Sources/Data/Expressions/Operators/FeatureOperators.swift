import Basics
import JSON
import Points

// The data of a feature: ["get", NAME], ["get", NAME, OBJECT], ["has", …], ["id"], ["properties"],
// ["geometry-type"]; and the accumulated value: ["accumulated"].

extension Operator {
    static let get = Operator("get", takes: .between(1, 2)) {
        parser, call throws(ExpressionError) in
        if let slot = slot(of: call, &parser) { return Get(slot: slot) }
        let find = try lookup(of: call, &parser)
        return ValueClosure { context throws(EvaluationFault) in try find(context) ?? .null }
    }

    static let has = Operator("has", takes: .between(1, 2)) {
        parser, call throws(ExpressionError) in
        if let slot = slot(of: call, &parser) { return hasAttribute(slot: slot) }
        let find = try lookup(of: call, &parser)
        return BoolClosure { context throws(EvaluationFault) in try find(context) != nil }
    }

    /// The slot of an attribute with a literal name.
    private static func slot(of call: Call, _ parser: inout ExpressionParser) -> Int? {
        guard call.count == 1, case .string(let name) = call.arguments[0] else { return nil }
        return parser.slot(for: name)
    }

    /// Finds an attribute with a computed name, or the member of an object.
    private static func lookup(
        of call: Call, _ parser: inout ExpressionParser
    ) throws(ExpressionError) -> Evaluation<ExpressionValue?> {
        let name = try parser.argument(0, of: call, as: .string)
        guard call.count == 2 else {
            return { context throws(EvaluationFault) in
                context.value(named: try name.text(in: context))
            }
        }
        let object = try parser.argument(1, of: call, as: .object)
        return { context throws(EvaluationFault) in
            let name = try name.text(in: context)
            return try object.value(in: context).asserted(.object) { $0.asObject }[name]
        }
    }

    static func hasAttribute(slot: Int) -> any ExpressionNode {
        BoolClosure { context throws(EvaluationFault) in
            if let property = context.property(slot) { return property != .null }
            return context.packed(slot) != nil || context.isNull(slot)
        }
    }

    static let id = Operator("id", takes: .exactly(0)) { _, _ in featureID }

    /// The feature's id, or null.
    static let featureID = ValueClosure { context throws(EvaluationFault) in
        context.id == PointTable.noID ? .null : ExpressionValue(context.id)
    }

    static let properties = Operator("properties", takes: .exactly(0)) { _, _ in
        ValueClosure(.object) { context throws(EvaluationFault) in .object(context.allProperties) }
    }

    // All features of Covey are points.
    static let geometryType = Operator("geometry-type", takes: .exactly(0)) {
        _, _ throws(ExpressionError) in
        Literal("Point")
    }

    static let accumulated = Operator("accumulated", takes: .exactly(0)) {
        parser, call throws(ExpressionError) in
        guard parser.role == .reducer else { throw .misplaced(call.name, at: call.path) }
        return ValueClosure { context throws(EvaluationFault) in
            context.accumulated.isEmpty ? .null : context.accumulated[0]
        }
    }
}

/// An attribute with a literal name.
final class Get: ExpressionNode {
    let type = ExpressionType.value
    let slot: Int

    init(slot: Int) { self.slot = slot }

    func value(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> ExpressionValue {
        if let property = context.property(slot) { return property }
        guard let packed = context.packed(slot) else { return .null }
        return ExpressionValue(packed)
    }

    func number(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Double {
        if let packed = context.packed(slot), let number = packed.number { return number }
        return try value(in: context).asserted(.number) { $0.asNumber }
    }

    func numberIfAny(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> Double? {
        if let property = context.property(slot) { return property.asNumber }
        guard let packed = context.packed(slot) else { return nil }
        return packed.number
    }

    func index(
        in texts: ByteNumbers, _ context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> Int? {
        if let property = context.property(slot) {
            guard case .string(let text) = property else { return nil }
            return texts.find(text.utf8.span)
        }
        guard let packed = context.packed(slot), let utf8 = packed.utf8 else { return nil }
        return texts.find(utf8)
    }
}
