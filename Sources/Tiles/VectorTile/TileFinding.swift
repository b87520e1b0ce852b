/// A rule that a tile breaks, and where.
public struct TileFinding: Hashable, Sendable {
    public var rule: TileRule
    public var location: TileLocation

    public init(_ rule: TileRule, at location: TileLocation) {
        self.rule = rule
        self.location = location
    }

    public var severity: TileRule.Severity { rule.severity }
}

extension TileFinding: CustomStringConvertible {
    public var description: String { "\(rule) (\(location); MVT \(rule.section))" }
}
