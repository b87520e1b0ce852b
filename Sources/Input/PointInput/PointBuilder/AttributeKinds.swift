import Points

/// The kinds of values that attributes have, each with the first input that has such values.
struct AttributeKinds: Equatable, Sendable {
    enum Kind: String { case text = "a text", number = "a number", bool = "true or false" }

    private var inputs: [AttributeKey: [Kind: String]] = [:]
    /// The number of values of an input that are still to be looked at.
    private var room = 4_096

    init() {}

    /// Looks at the next values of an input, until enough of them have been seen.
    /// - Parameter records: they lie one after another, so they can be read as one.
    mutating func look(at records: Span<UInt8>, input: String) {
        guard room > 0 else { return }
        var cursor = AttributeRecord(records).makeCursor()
        while room > 0, let attribute = cursor.next() {
            room -= 1
            let kind: Kind =
                switch attribute.value.kind {
                case .text: .text
                case .bool: .bool
                default: .number
                }
            inputs[attribute.key, default: [:]][kind] = input
        }
    }

    /// The attributes that have other kinds of values in a later input: filters and counts then tell
    /// values apart that are spelled alike.
    func differences(to later: AttributeKinds, _ keys: AttributeKeys) -> [String] {
        later.inputs.compactMap { key, kinds in
            guard let earlier = inputs[key], Set(earlier.keys).isDisjoint(with: kinds.keys),
                let (was, input) = earlier.min(by: { $0.key.rawValue < $1.key.rawValue }),
                let kind = kinds.keys.min(by: { $0.rawValue < $1.rawValue })
            else { return nil }
            let name = keys.name(of: key)
            return "\(name) is \(kind.rawValue), but \(was.rawValue) in \(input); "
                + "--type \(name):text makes texts of all"
        }.sorted()
    }

    mutating func add(_ later: AttributeKinds) {
        for (key, kinds) in later.inputs {
            inputs[key, default: [:]].merge(kinds) { earlier, _ in earlier }
        }
    }
}
