/// The attribute names that a worker has met, so that meeting one again costs next to nothing.
///
/// Features of one file have their members in much the same order. So each name remembers the one
/// that came after it, and that guess is compared with the bytes at hand first.
struct KeyCache {
    private struct Entry {
        /// The name as it is spelled between the quotes, in `spellings`, with the closing quote.
        var spelling: Range<Int>
        var slot: AttributeSlot
        var follower = 0
    }

    /// Entry 0 stands for the start of a record.
    private var entries = [Entry(spelling: 0..<0, slot: AttributeSlot(index: 0))]
    private var spellings: [UInt8] = []
    private var known: [String: Int] = [:]
    private var last = 0

    mutating func startRecord() { last = 0 }

    /// The slot of the name whose first byte behind the quote is at hand, if the guess was right;
    /// then the cursor goes behind the closing quote.
    @inline(__always)
    mutating func guess(_ bytes: inout ByteCursor) -> AttributeSlot? {
        let follower = entries[last].follower
        guard follower != 0 else { return nil }
        let entry = entries[follower]
        guard bytes.isAt(spellings.span.extracting(entry.spelling)) else { return nil }
        bytes.advance(by: entry.spelling.count)
        last = follower
        return entry.slot
    }

    /// The slot of a name that was spelled so (between the quotes) and means that.
    mutating func look(
        up name: String, spelling: Span<UInt8>, in gate: inout RecordGate
    ) -> AttributeSlot {
        let found: Int
        if let number = known[name] {
            found = number
        } else {
            found = entries.count
            let start = spellings.count
            for index in spelling.indices { spellings.append(spelling[index]) }
            spellings.append(UInt8(ascii: "\""))
            entries.append(
                Entry(spelling: start..<spellings.count, slot: gate.slot(named: name)))
            known[name] = found
        }
        entries[last].follower = found
        last = found
        return entries[found].slot
    }
}
