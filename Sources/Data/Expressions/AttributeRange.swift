import JSON

/// The range of an attribute's values for which a filter can be true.
public struct AttributeRange: Equatable, Sendable {
    public var name: String
    public var bounds: Bounds

    public enum Bounds: Equatable, Sendable {
        case numbers(ClosedRange<Double>)
        /// In byte order.
        case texts(least: String, greatest: String)
    }
}

extension Expression {
    /// Ranges of attributes outside of which the filter is false; inside them it may be false, too.
    ///
    /// They come from comparisons of an attribute with a constant, and from all parts of `["all", …]`.
    public var ranges: [AttributeRange] { Self.ranges(source) }

    private static func ranges(_ json: JSONValue) -> [AttributeRange] {
        guard let parts = json.asArray, let name = parts.first?.asString else { return [] }
        let isLegacy = ExpressionParser.isLegacy(parts)
        if name == "all" { return parts.dropFirst().flatMap(ranges) }
        guard parts.count >= 3 else { return [] }
        let found: AttributeRange.Bounds?
        switch name {
        case "in":
            let list = parts[2].asArray ?? []
            let isLiteral = list.count == 2 && list[0].asString == "literal"
            let values = isLegacy ? Array(parts[2...]) : isLiteral ? list[1].asArray ?? [] : []
            found = hull(values)
        case "==": found = parts.count == 3 ? hull([parts[2]]) : nil
        case "<", "<=": found = parts.count == 3 ? side(parts[2]) { -.infinity...$0 } : nil
        case ">", ">=": found = parts.count == 3 ? side(parts[2]) { $0...(.infinity) } : nil
        default: found = nil
        }
        guard let found, let attribute = attribute(parts[1], isLegacy) else { return [] }
        return [AttributeRange(name: attribute, bounds: found)]
    }

    private static func attribute(_ json: JSONValue, _ isLegacy: Bool) -> String? {
        if isLegacy { return json.asString.flatMap { $0.hasPrefix("$") ? nil : $0 } }
        let parts = json.asArray ?? []
        return parts.count == 2 && parts[0].asString == "get" ? parts[1].asString : nil
    }

    /// Only numbers: texts are ordered by UTF-16 units, not by their bytes.
    private static func side(
        _ json: JSONValue, _ range: (Double) -> ClosedRange<Double>
    ) -> AttributeRange.Bounds? {
        json.asNumber.flatMap { $0.isNaN ? nil : .numbers(range($0)) }
    }

    /// The range of these values, if all have one kind.
    private static func hull(_ values: [JSONValue]) -> AttributeRange.Bounds? {
        let numbers = values.compactMap(\.asNumber).filter { !$0.isNaN }
        if numbers.count == values.count, let least = numbers.min(), let most = numbers.max() {
            return .numbers(least...most)
        }
        let texts = values.compactMap(\.asString)
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        guard texts.count == values.count, let first = texts.first, let last = texts.last else {
            return nil
        }
        return .texts(least: first, greatest: last)
    }
}
