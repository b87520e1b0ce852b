import JSON
import Points

// The data of a feature: ["get", NAME], ["get", NAME, OBJECT], ["has", …], ["id"], ["properties"],
// ["geometry-type"]; and the accumulated value: ["accumulated"].

extension Operator {
    static let get = Operator("get", takes: .between(1, 2)) {
        parser, call throws(ExpressionError) in
        if call.count == 2 {
            return GetMember(
                name: try parser.argument(0, of: call, as: .string),
                object: try parser.argument(1, of: call, as: .object))
        }
        if case .string(let name) = call.arguments[0] { return Get(slot: parser.slot(for: name)) }
        return GetComputed(name: try parser.argument(0, of: call, as: .string))
    }

    static let has = Operator("has", takes: .between(1, 2)) {
        parser, call throws(ExpressionError) in
        if call.count == 2 {
            return HasMember(
                name: try parser.argument(0, of: call, as: .string),
                object: try parser.argument(1, of: call, as: .object))
        }
        if case .string(let name) = call.arguments[0] { return Has(slot: parser.slot(for: name)) }
        return HasComputed(name: try parser.argument(0, of: call, as: .string))
    }

    static let id = Operator("id", takes: .exactly(0)) { _, _ in FeatureID() }
    static let properties = Operator("properties", takes: .exactly(0)) { _, _ in Properties() }

    // All features of Covey are points.
    static let geometryType = Operator("geometry-type", takes: .exactly(0)) {
        _, _ throws(ExpressionError) in
        Literal("Point")
    }

    static let accumulated = Operator("accumulated", takes: .exactly(0)) {
        parser, call throws(ExpressionError) in
        guard parser.role == .reducer else { throw .misplaced(call.name, at: call.path) }
        return Accumulated()
    }
}

/// An attribute with a literal name.
final class Get: ExpressionNode {
    let type: ExpressionType
    let slot: Int

    init(slot: Int) {
        self.slot = slot
        type = .value
    }

    /// The packed attribute of the record.
    @_lifetime(copy context)
    func packed(in context: borrowing EvaluationContext) -> PackedValue? { context.packed(slot) }

    func value(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> ExpressionValue {
        if let property = context.property(slot) { return property }
        guard let packed = context.packed(slot) else { return .null }
        return ExpressionValue(packed)
    }

    func number(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Double {
        if let packed = context.packed(slot), let number = packed.number { return number }
        let value = try value(in: context)
        guard let number = value.asNumber else {
            throw .wrongType(expected: .number, found: value.type)
        }
        return number
    }

    func numberIfAny(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> Double? {
        if let property = context.property(slot) { return property.asNumber }
        guard let packed = context.packed(slot) else { return nil }
        return packed.number
    }

    func index(
        in texts: TextIndex, _ context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> Int? {
        if let property = context.property(slot) {
            guard case .string(let text) = property else { return nil }
            return texts.index(of: text.utf8.span)
        }
        guard let packed = context.packed(slot), let utf8 = packed.utf8 else { return nil }
        return texts.index(of: utf8)
    }
}

final class Has: BoolNode {
    private let slot: Int

    init(slot: Int) { self.slot = slot }

    func bool(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Bool {
        if let property = context.property(slot) { return property != .null }
        return context.packed(slot) != nil || context.isNull(slot)
    }
}

/// Whether the feature has an attribute whose value is null, as the old filters test it.
final class IsPresentNull: BoolNode {
    private let slot: Int

    init(slot: Int) { self.slot = slot }

    func bool(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Bool {
        context.property(slot).map { $0 == .null } ?? context.isNull(slot)
    }
}

/// An attribute with a computed name.
private final class GetComputed: ExpressionNode {
    let type: ExpressionType
    private let name: any ExpressionNode

    init(name: any ExpressionNode) {
        self.name = name
        type = .value
    }

    func value(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> ExpressionValue {
        context.value(named: try name.text(in: context)) ?? .null
    }
}

private final class HasComputed: BoolNode {
    private let name: any ExpressionNode

    init(name: any ExpressionNode) { self.name = name }

    func bool(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Bool {
        context.value(named: try name.text(in: context)) != nil
    }
}

private final class GetMember: ExpressionNode {
    let type: ExpressionType
    private let name: any ExpressionNode
    private let object: any ExpressionNode

    init(name: any ExpressionNode, object: any ExpressionNode) {
        self.name = name
        self.object = object
        type = .value
    }

    func value(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> ExpressionValue {
        let name = try name.text(in: context)
        return try object.members(in: context)[name] ?? .null
    }
}

private final class HasMember: BoolNode {
    private let name: any ExpressionNode
    private let object: any ExpressionNode

    init(name: any ExpressionNode, object: any ExpressionNode) {
        self.name = name
        self.object = object
    }

    func bool(in context: borrowing EvaluationContext) throws(EvaluationFault) -> Bool {
        let name = try name.text(in: context)
        return try object.members(in: context)[name] != nil
    }
}

private final class Properties: ExpressionNode {
    let type: ExpressionType
    init() { type = .object }

    func value(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> ExpressionValue { .object(context.allProperties) }
}

/// The feature's id, or null.
final class FeatureID: ExpressionNode {
    let type: ExpressionType
    init() { type = .value }

    func value(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> ExpressionValue {
        guard context.id != PointTable.noID else { return .null }
        return ExpressionValue(context.id)
    }
}

private final class Accumulated: ExpressionNode {
    let type: ExpressionType
    init() { type = .value }

    func value(
        in context: borrowing EvaluationContext
    ) throws(EvaluationFault) -> ExpressionValue {
        context.accumulated.isEmpty ? .null : context.accumulated[0]
    }
}
