/// What becomes of a value for an id that a tile cannot hold.
enum OddID: Int, Comparable, Sendable {
    /// The value of an attribute that options name stays one.
    case attribute
    /// A feature's id becomes the attribute `id`.
    case moved
    /// A feature's id is left out, because the feature has an attribute `id` of its own.
    case lost

    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

    func note(on count: Int, _ noun: String, attribute: String?) -> String {
        let isOne = count == 1
        let those = "\(attribute ?? "the id") of \(count) \(noun)\(isOne ? " is" : "s is")"
        let none = "no whole number from 0 to 2^64 - 2, so \(isOne ? "it has" : "they have") no id"
        return switch self {
        case .attribute: "\(those) \(none); the value stays an attribute"
        case .moved: "\(those) \(none); the value becomes the attribute id"
        case .lost:
            "\(those) \(none); the value is left out, as there is an attribute id already"
        }
    }
}
