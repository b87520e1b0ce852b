import JSON
import TestSupport

/// Random expressions that are mostly well-formed, over the attributes of `TestFeature.cafe`.
struct RandomExpression {
    var random: SeededRandom

    private static let attributes = [
        "kind", "name", "value", "half", "minus", "open", "empty", "digits", "big", "huge", "tags",
        "address", "bracket", "none",
    ]
    private static let unary = [
        "-", "!", "abs", "ceil", "floor", "round", "sqrt", "ln", "log2", "log10", "sin", "cos",
        "tan", "asin", "acos", "atan", "upcase", "downcase", "length", "typeof", "to-boolean",
        "to-number", "to-string", "string", "number", "boolean", "object", "array", "coalesce",
    ]
    private static let binary = [
        "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "^", "min", "max", "all", "any",
        "concat", "in", "index-of", "slice", "at", "split", "join", "has", "get", "coalesce",
        "number", "to-number",
    ]

    mutating func next(depth: Int) -> JSONValue {
        guard depth > 0 else { return leaf() }
        switch random.next() % 9 {
        case 0, 1: return leaf()
        case 2: return [.string(pick(Self.unary)), next(depth: depth - 1)]
        case 3, 4, 5:
            return [.string(pick(Self.binary)), next(depth: depth - 1), next(depth: depth - 1)]
        case 6: return choice(depth: depth - 1)
        case 7: return ramp(depth: depth - 1)
        default:
            let bound = next(depth: depth - 1)
            return ["let", "v", bound, ["concat", ["var", "v"], next(depth: depth - 1)]]
        }
    }

    private mutating func choice(depth: Int) -> JSONValue {
        let (a, b, c) = (next(depth: depth), next(depth: depth), next(depth: depth))
        switch random.next() % 4 {
        case 0: return ["match", a, "cafe", b, c]
        case 1: return ["match", a, [12, 7], b, 0, a, c]
        default: return ["case", a, b, c]
        }
    }

    private mutating func ramp(depth: Int) -> JSONValue {
        let (a, b, c) = (next(depth: depth), next(depth: depth), next(depth: depth))
        switch random.next() % 3 {
        case 0: return ["interpolate", ["exponential", 1.5], a, 0, b, 20, c]
        case 1: return ["interpolate", ["cubic-bezier", 0.1, 0, 0.9, 1], a, -5, b, 5, c]
        default: return ["step", a, b, 5, c]
        }
    }

    private mutating func leaf() -> JSONValue {
        switch random.next() % 8 {
        case 0, 1, 2, 3: return ["get", .string(pick(Self.attributes))]
        case 4: return JSONValue(canonical: Double(Int(random.next() % 41) - 20) / 4)
        case 5: return .string(pick(["cafe", "", "a", "12", "1e400"]))
        case 6: return pick([true, false, nil, ["id"], ["properties"]])
        default: return ["literal", pick([["a", "cafe"], [1, nil, 2.5], [], ["city": 1]])]
        }
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int(random.next() % UInt64(elements.count))]
    }
}
