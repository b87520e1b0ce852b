/// Why a build was given up, apart from what its stages say themselves.
public enum BuildError: Error, Equatable {
    case cancelled
    case noPoints(layers: [String])
    case notEnoughMemory(needed: Int, allowed: Int)
}

extension BuildError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cancelled:
            "stopped; nothing was written"
        case .noPoints(let layers):
            "no points in \(layers.joined(separator: ", "))\n"
                + "an archive needs at least one; check --filter and what was skipped"
        case .notEnoughMemory(let needed, let allowed):
            "this build needs about \(needed >> 20) MiB of memory and may use \(allowed >> 20)\n"
                + "use --memory to allow more, --exclude attributes, or split the input"
        }
    }
}
