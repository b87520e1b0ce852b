import Points

/// The index of an attribute's name in a builder; readers look it up once and keep it.
public struct InputAttribute: Equatable, Sendable {
    let index: Int
}

/// How the options treat the attributes of one name.
struct AttributePlan {
    enum Role { case plain, id, weight, removal }

    let key: AttributeKey
    let role: Role
    let kind: AttributeKind?
    /// Whether values are packed into records at all.
    let isPacked: Bool
    /// Whether they are packed for the filter only.
    let isForFilter: Bool
    /// Whether values are packed without further processing.
    let isPlain: Bool
    /// Whether a table is joined by this attribute.
    let isJoinKey: Bool
    /// Whether the limit of names is exceeded.
    let isOverLimit: Bool
    /// The last record with the attribute, to detect a second value in one record.
    var lastRecord = -1
    /// The last record that had it without a value.
    var lastNull = -1

    /// The key of attributes that are in no record, and of names past the limit.
    static let noKey = AttributeKey(number: .max)

    /// - Parameter filtered: the names that the filter uses.
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
        // A value from the joined table or a folder's name replaces the record's own.
        let isJoined =
            options.values.keys.contains(name) || options.join?.names.contains(name) ?? false
        isPlain =
            isPacked && kind == nil && role == .plain && !isJoinKey && !isJoined
            && options.noData.isEmpty
        let isNamed = isPacked || role != .plain
        key = isNamed ? keys.intern(name, within: options.mostNames) ?? Self.noKey : Self.noKey
        isOverLimit = isNamed && key == Self.noKey
    }
}
