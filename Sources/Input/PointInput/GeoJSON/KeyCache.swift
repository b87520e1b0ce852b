/// A cache of the attribute names that a worker has read, so that repeated names are almost free.
///
/// The features of a file have their members in similar order. So each name has a guess of the one
/// after it, which is compared with the bytes first.
struct KeyCache {
    private struct Entry {
        var attribute = InputAttribute(index: 0)
        /// The name in its JSON form with the closing quote: its length, the first eight bytes as a
        /// word, and the range of the others in `spellings`.
        var count = 0
        var first: UInt64 = 0
        var mask: UInt64 = 0
        var rest = 0..<0
        /// The name that followed this one last; 0 for none yet.
        var follower = 0
    }

    /// Entry 0 is the start of a record.
    private var entries = [Entry()]
    private var spellings: [UInt8] = []
    private var known: [String: Int] = [:]
    private var last = 0

    mutating func startRecord() { last = 0 }

    /// The attribute of the name that starts here, after its quote, if the guess was right; then
    /// the cursor moves past the closing quote.
    @inline(__always)
    mutating func guess(_ bytes: inout ByteCursor) -> InputAttribute? {
        let follower = entries[last].follower
        guard follower != 0 else { return nil }
        guard isSpelled(entries[follower], at: bytes) else { return nil }
        bytes.advance(by: entries[follower].count)
        last = follower
        return entries[follower].attribute
    }

    @inline(__always)
    private func isSpelled(_ entry: Entry, at bytes: ByteCursor) -> Bool {
        let rest = spellings.span.extracting(entry.rest)
        return bytes.isAt(entry.first, mask: entry.mask, rest: rest, count: entry.count)
    }

    /// The attribute of a name, with its JSON form between the quotes.
    mutating func look(
        up name: String, spelling: Span<UInt8>, in builder: inout PointBuilder
    ) -> InputAttribute {
        let found: Int
        if let number = known[name] {
            found = number
        } else {
            found = entries.count
            entries.append(makeEntry(builder.attribute(named: name), spelling))
            known[name] = found
        }
        entries[last].follower = found
        last = found
        return entries[found].attribute
    }

    private mutating func makeEntry(_ attribute: InputAttribute, _ spelling: Span<UInt8>) -> Entry {
        var entry = Entry(attribute: attribute, count: spelling.count + 1)
        let start = spellings.count
        for index in 0..<entry.count {
            let byte = index < spelling.count ? spelling[index] : UInt8(ascii: "\"")
            if index < 8 {
                entry.first |= UInt64(byte) << UInt64(8 * index)
                entry.mask |= 0xFF << UInt64(8 * index)
            } else {
                spellings.append(byte)
            }
        }
        entry.rest = start..<spellings.count
        return entry
    }
}
