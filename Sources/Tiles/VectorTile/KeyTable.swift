/// The keys that a builder knows, and their indices in the current layer.
///
/// A name is looked up and encoded only once in a builder's life. For each layer, an array says which keys it
/// has; the number of the round saves clearing it.
struct KeyTable: ~Copyable, Sendable {
    struct Entry {
        var round: UInt32 = 0
        /// The key's index in the current layer, if it is of this round.
        var index: UInt32 = 0
        /// The range of the encoded field in `spelled`.
        var start: Int
        var end: Int
    }

    /// The current layer's `keys` fields, ready to be written.
    private(set) var fields = ByteBuffer()
    private(set) var count: UInt32 = 0
    private var entries = Buffer<Entry>()
    private var numbers: [[UInt8]: UInt32] = [:]
    private var spelled = ByteBuffer()
    private var round: UInt32 = 1

    mutating func removeAll() {
        fields.removeAll()
        count = 0
        if round == .max {
            for index in 0..<entries.count { entries[index].round = 0 }
            round = 0
        }
        round += 1
    }

    /// The number of a name; a new name gets the next one.
    mutating func number(of name: Span<UInt8>) -> UInt32 {
        let bytes = unsafe name.withUnsafeBufferPointer { unsafe [UInt8]($0) }
        if let number = numbers[bytes] { return number }
        let number = UInt32(entries.count)
        let start = spelled.count
        spelled.append(field: Wire.layerKey, name)
        entries.append(Entry(start: start, end: spelled.count))
        numbers[bytes] = number
        return number
    }

    /// The index in the current layer of the key with a number.
    mutating func index(of number: UInt32) -> UInt32 {
        let entry = entries[Int(number)]
        if entry.round == round { return entry.index }
        let index = count
        entries[Int(number)].round = round
        entries[Int(number)].index = index
        fields.append(spelled, in: entry.start..<entry.end)
        count += 1
        return index
    }
}
