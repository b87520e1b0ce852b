import Points

/// The place of an attribute's name in a gate; readers look it up once and keep it.
public struct AttributeSlot: Equatable, Sendable {
    let index: Int
}

/// What the options make of the attributes of one name.
struct SlotPlan {
    enum Role { case plain, id, weight }

    let name: String
    let key: AttributeKey
    let role: Role
    let kind: AttributeKind?
    /// Whether values go into records at all.
    let isKept: Bool
    /// The record that had the attribute last, so that a second value in one record is noticed.
    var lastRecord = -1

    init(name: String, options: InputOptions, keys: AttributeKeys) {
        self.name = name
        key = keys.intern(name)
        kind = options.kinds[name]
        role =
            name == options.idAttribute ? .id : name == options.weightAttribute ? .weight : .plain
        isKept = (options.included?.contains(name) ?? true) && !options.excluded.contains(name)
    }
}
