/// The members of a JSON object, in the order in which they were written.
///
/// A key that was written twice is kept twice: reading by key gives the last, as in JavaScript, and
/// `duplicateKey` finds it. Meant for documents, not for data: look-up is a scan.
public struct JSONObject: Hashable, Sendable {
    public struct Member: Hashable, Sendable {
        public var key: String
        public var value: JSONValue

        public init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    public var members: [Member]

    public init(_ members: [Member] = []) { self.members = members }

    public var count: Int { members.count }
    public var keys: [String] { members.map(\.key) }

    /// The value of a key; setting replaces it in place, appends it, or with nil removes it.
    /// - Complexity: O(members).
    public subscript(key: String) -> JSONValue? {
        get { members.last { $0.key == key }?.value }
        set {
            guard let newValue else { return members.removeAll { $0.key == key } }
            if let index = members.lastIndex(where: { $0.key == key }) {
                members[index].value = newValue
            } else {
                members.append(Member(key: key, value: newValue))
            }
        }
    }

    /// The first key that occurs a second time.
    /// - Complexity: O(members).
    public var duplicateKey: String? {
        var seen: Set<String> = []
        return members.first { !seen.insert($0.key).inserted }?.key
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self.init(members.map { Member(key: $0.0, value: $0.1) })
    }
}
