import Points

/// Which of the attributes' names one is in a builder; readers look it up once and keep it.
public struct InputAttribute: Equatable, Sendable {
    let index: Int
}

/// What the options make of the attributes of one name.
struct AttributePlan {
    enum Role { case plain, id, weight }

    let key: AttributeKey
    let role: Role
    let kind: AttributeKind?
    /// Whether values go into records at all.
    let isPacked: Bool
    /// Whether they are there for the filter only.
    let isForFilter: Bool
    /// Whether values only need to be packed.
    let isPlain: Bool
    /// The record that had the attribute last, so that a second value in one record is noticed.
    var lastRecord = -1

    init(name: String, options: InputOptions, keys: AttributeKeys) {
        key = keys.intern(name)
        kind = options.kinds[name]
        let isKept =
            (options.included?.contains(name) ?? true) && !options.excluded.contains(name)
        let isFiltered = options.filter?.attributeNames.contains(name) ?? false
        isPacked = isKept || isFiltered
        isForFilter = !isKept && isFiltered
        role =
            name == options.idAttribute ? .id : name == options.weightAttribute ? .weight : .plain
        isPlain = isPacked && kind == nil && role == .plain
    }
}
