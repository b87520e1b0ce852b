import Points

/// The kinds of values that attributes have, each with the first input that has such values.
struct AttributeKinds: Equatable, Sendable {
    enum Kind: String {
        case text = "a text"
        case number = "a number"
        case bool = "true or false"

        init(_ kind: AttributeKind) {
            self =
                switch kind {
                case .text: .text
                case .integer, .number: .number
                case .bool: .bool
                }
        }

        /// Its word for `--type`.
        var type: AttributeKind {
            switch self {
            case .text: .text
            case .number: .number
            case .bool: .bool
            }
        }
    }

    private var inputs: [AttributeKey: [Kind: String]] = [:]
    /// The number of values of an input that are still to be looked at.
    private var room = 4_096

    init() {}

    /// The kinds that an archive's points have; attributes that no input has are left out.
    init(_ known: KnownKinds, _ keys: AttributeKeys) {
        for (name, kind) in known.kinds {
            if let key = keys.key(named: name) { inputs[key] = [Kind(kind): known.archive] }
        }
    }

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
    /// - Parameter isKept: whether the earlier kinds stay, and the later ones should be those.
    func differences(
        to later: AttributeKinds, _ keys: AttributeKeys, isKept: Bool = false
    ) -> [String] {
        later.inputs.compactMap { key, kinds in
            guard let earlier = inputs[key], Set(earlier.keys).isDisjoint(with: kinds.keys),
                let (was, input) = earlier.min(by: { $0.key.rawValue < $1.key.rawValue }),
                let kind = kinds.keys.min(by: { $0.rawValue < $1.rawValue })
            else { return nil }
            let name = keys.name(of: key)
            let those =
                was == .number && kind == .text ? "those alike that are numbers" : "them alike"
            let advice =
                isKept
                ? "filters and counts tell them apart, and --type \(name):\(was.type.rawValue) reads \(those)"
                : "--type \(name):text makes texts of all"
            return "\(name) is \(kind.rawValue), but \(was.rawValue) in \(input); \(advice)"
        }.sorted()
    }

    mutating func add(_ later: AttributeKinds) {
        for (key, kinds) in later.inputs {
            inputs[key, default: [:]].merge(kinds) { earlier, _ in earlier }
        }
    }
}

/// The kinds of the attributes in an archive, which changes of its points should have, too.
public struct KnownKinds: Sendable {
    let archive: String
    let kinds: [String: AttributeKind]

    public init(of archive: String, _ kinds: [String: AttributeKind]) {
        self.archive = archive
        self.kinds = kinds
    }
}
