/// The attribute names that a worker has met, so that meeting one again costs next to nothing.
///
/// Features of one file have their members in much the same order. So each name remembers the one
/// that came after it, and that guess is compared with the bytes at hand first.
struct KeyCache {
    private struct Entry {
        var attribute = InputAttribute(index: 0)
        /// The name as it is spelled between the quotes, with the closing quote: how many bytes, the
        /// first eight in a word, and where in `spellings` the others are.
        var count = 0
        var first: UInt64 = 0
        var mask: UInt64 = 0
        var rest = 0..<0
        /// The name that came after this one; 0 for none yet.
        var follower = 0
    }

    /// Entry 0 stands for the start of a record.
    private var entries = [Entry()]
    private var spellings: [UInt8] = []
    private var known: [String: Int] = [:]
    private var last = 0

    mutating func startRecord() { last = 0 }

    /// The attribute of the name whose first byte behind the quote is at hand, if the guess was right;
    /// then the cursor goes behind the closing quote.
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

    /// The attribute of a name that was spelled so (between the quotes) and means that.
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
