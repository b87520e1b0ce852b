import Synchronization

/// The number of an attribute's name in packed records.
public struct AttributeKey: Hashable, Sendable {
    public let number: UInt32

    @inlinable
    public init(number: UInt32) { self.number = number }
}

/// Attribute names and their numbers, shared by all records of a table.
///
/// Workers that parse in parallel intern names here; each should cache the keys it has seen.
/// Numbers follow the order of arrival, so no output may depend on them. To Swift, texts are equal that differ only in how
/// Unicode composes their letters. So names are kept in one form (NFC), whichever came first.
public final class AttributeKeys: Sendable {
    private struct State {
        var names: [String] = []
        var keys: [String: AttributeKey] = [:]
    }
    private let state = Mutex(State())

    public init() {}

    /// The key of a name; a new name gets the next number.
    public func intern(_ name: String) -> AttributeKey {
        intern(name, within: .max) ?? AttributeKey(number: .max)
    }

    /// The key of a name; nil for a new name if there are `limit` names already.
    public func intern(_ name: String, within limit: Int) -> AttributeKey? {
        state.withLock { state in
            if let key = state.keys[name] { return key }
            guard state.names.count < limit else { return nil }
            let key = AttributeKey(number: UInt32(state.names.count))
            state.names.append(name.composed)
            state.keys[name] = key
            return key
        }
    }

    /// The key of a name, if there is one.
    public func key(named name: String) -> AttributeKey? { state.withLock { $0.keys[name] } }

    public func name(of key: AttributeKey) -> String {
        state.withLock { $0.names[Int(key.number)] }
    }

    /// Renames a key in all records that have it. A key that has the new name gets the old one; otherwise the old name
    /// gets a new key.
    public func rename(_ key: AttributeKey, to name: String) {
        state.withLock { state in
            let old = state.names[Int(key.number)]
            let other = state.keys[name]
            state.keys[old] = other
            if let other { state.names[Int(other.number)] = old }
            state.names[Int(key.number)] = name.composed
            state.keys[name] = key
        }
    }

    /// All names; a name's index is its key's number.
    public var names: [String] { state.withLock { $0.names } }
}
