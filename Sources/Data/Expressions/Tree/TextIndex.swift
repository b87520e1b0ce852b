import Basics

/// A fixed set of texts that finds a text's index from its UTF-8 without allocating.
struct TextIndex: Sendable {
    /// The texts one after another; the text at an index ends at `ends[index + 1]`.
    private let bytes: [UInt8]
    private let ends: [Int]
    /// Open addressing: the index of a text, or -1; the size is a power of two, and at most half is used.
    private let slots: [Int32]

    /// - Precondition: no text occurs twice.
    init(_ strings: [String]) {
        var size = 4
        while size < 2 * strings.count { size *= 2 }
        var slots = [Int32](repeating: -1, count: size)
        var bytes: [UInt8] = []
        var ends = [0]
        for (index, string) in strings.enumerated() {
            bytes += string.utf8
            var slot = Self.hash(bytes.span.extracting(droppingFirst: ends[index])) & (size - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = Int32(index)
            ends.append(bytes.count)
        }
        self.bytes = bytes
        self.ends = ends
        self.slots = slots
    }

    func index(of utf8: Span<UInt8>) -> Int? {
        if ends.count == 2 { return isText(0, utf8) ? 0 : nil }
        var slot = Self.hash(utf8) & (slots.count - 1)
        while slots[slot] >= 0 {
            let index = Int(slots[slot])
            if isText(index, utf8) { return index }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private func isText(_ index: Int, _ utf8: Span<UInt8>) -> Bool {
        let start = ends[index]
        guard ends[index + 1] - start == utf8.count else { return false }
        for index in utf8.indices where bytes[start + index] != utf8[index] { return false }
        return true
    }

    /// FNV-1a, folded so that the low bits depend on all.
    private static func hash(_ utf8: Span<UInt8>) -> Int {
        let hash = ByteHash(utf8).value
        return Int(truncatingIfNeeded: (hash ^ (hash >> 32)) & 0x7FFF_FFFF)
    }
}
