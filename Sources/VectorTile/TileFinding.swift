/// A rule that a tile breaks, and where.
public struct TileFinding: Hashable, Sendable {
    public var rule: TileRule
    public var place: TilePlace

    public init(_ rule: TileRule, at place: TilePlace) {
        self.rule = rule
        self.place = place
    }

    public var severity: TileRule.Severity { rule.severity }
}

extension TileFinding: CustomStringConvertible {
    public var description: String { "\(rule) (\(place); MVT \(rule.section))" }
}
