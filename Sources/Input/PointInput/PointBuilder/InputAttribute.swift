import Points

/// Which of the attributes' names one is in a builder; readers look it up once and keep it.
public struct InputAttribute: Equatable, Sendable {
    let index: Int
}

/// What the options make of the attributes of one name.
struct AttributePlan {
    enum Role { case plain, id, weight, removal }

    let key: AttributeKey
    let role: Role
    let kind: AttributeKind?
    /// Whether values go into records at all.
    let isPacked: Bool
    /// Whether they are there for the filter only.
    let isForFilter: Bool
    /// Whether values only need to be packed.
    let isPlain: Bool
    /// Whether a table is joined by its values.
    let isJoinKey: Bool
    /// Whether there are more names than may be.
    let isOverLimit: Bool
    /// The record that had the attribute last, so that a second value in one record is noticed.
    var lastRecord = -1
    /// The record that had it last without a value.
    var lastNull = -1

    /// Stands for what is in no record, and for names past the limit.
    static let noKey = AttributeKey(number: .max)

    /// - Parameter filtered: the names that the filter asks for.
    init(name: String, options: InputOptions, filtered: Set<String>, keys: AttributeKeys) {
        kind = options.kinds[name]
        let isKept =
            (options.included?.contains(name) ?? true) && !options.excluded.contains(name)
        let isFiltered = filtered.contains(name)
        role =
            switch name {
            case options.removalMark: .removal
            case options.idAttribute: .id
            case options.weightAttribute: .weight
            default: .plain
            }
        isPacked = (isKept || isFiltered) && role != .removal
        isForFilter = !isKept && isFiltered
        isJoinKey = name == options.join?.column
        // A value from the joined table, or of the file's folder, takes the place of one that the record has.
        let isJoined =
            options.values[name] != nil || options.join?.names.contains(name) ?? false
        isPlain = isPacked && kind == nil && role == .plain && !isJoinKey && !isJoined
        let isNamed = isPacked || role != .plain
        key = isNamed ? keys.intern(name, within: options.mostNames) ?? Self.noKey : Self.noKey
        isOverLimit = isNamed && key == Self.noKey
    }
}
