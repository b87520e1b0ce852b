/// A piece of work on the index of an archive.
enum IndexUnit: Hashable, Sendable {
    /// The leaf blocks of a task.
    case leaves(Int)
    /// Some consecutive leaf directories of a PMTiles archive.
    case directories(Int)

    var isOfDirectories: Bool { if case .directories = self { true } else { false } }

    var name: String {
        switch self {
        case .leaves(let number): "leaves-\(number)"
        case .directories(let number): "tiles-\(number)"
        }
    }

    init?(name: String) {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[1]), number >= 0 else { return nil }
        switch parts[0] {
        case "leaves": self = .leaves(number)
        case "tiles": self = .directories(number)
        default: return nil
        }
    }
}
