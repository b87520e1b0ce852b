/// Why a tile, or one feature of it, cannot be read.
public enum TileError: Error, Equatable, Sendable {
    case broken(TileRule, TilePlace)
    /// The tile is larger than its reader allows; see `TileLimits`.
    case tooLarge(TileLimits.Kind, limit: Int, TilePlace)

    /// Whether the rest of the tile can still be read.
    public var isRecoverable: Bool {
        switch self {
        case .broken(let rule, _): rule.severity != .fatal
        case .tooLarge: false
        }
    }

    public var place: TilePlace {
        switch self {
        case .broken(_, let place), .tooLarge(_, _, let place): place
        }
    }
}

extension TileError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .broken(let rule, let place): "\(rule) (\(place); MVT \(rule.section))"
        case .tooLarge(let kind, let limit, let place):
            "the tile has more than \(limit) \(kind.rawValue) (\(place)); raise the limit to read it"
        }
    }
}
