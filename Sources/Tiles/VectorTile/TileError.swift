/// Why a tile, or one feature of it, cannot be read.
public enum TileError: Error, Equatable, Sendable {
    case broken(TileRule, TileLocation)
    /// The tile is larger than its reader allows; see `TileLimits`.
    case tooLarge(TileLimits.Kind, limit: Int, TileLocation)

    /// Whether the rest of the tile can still be read.
    public var isRecoverable: Bool {
        switch self {
        case .broken(let rule, _): rule.severity != .fatal
        case .tooLarge: false
        }
    }

    public var location: TileLocation {
        switch self {
        case .broken(_, let location), .tooLarge(_, _, let location): location
        }
    }
}

extension TileError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .broken(let rule, let location): "\(rule) (\(location); MVT \(rule.section))"
        case .tooLarge(let kind, let limit, let location):
            "the tile has more than \(limit) \(kind.rawValue) (\(location)); raise the limit to read it"
        }
    }
}
