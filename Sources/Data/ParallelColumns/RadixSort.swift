/// A sort key and the number of its item, in 12 bytes.
public struct SortEntry: BitwiseCopyable, Sendable {
    @usableFromInline var low: UInt32
    @usableFromInline var high: UInt32
    public var item: UInt32

    @inlinable @inline(__always)
    public init(key: UInt64, item: UInt32) {
        low = UInt32(truncatingIfNeeded: key)
        high = UInt32(truncatingIfNeeded: key >> 32)
        self.item = item
    }

    @inlinable @inline(__always)
    public var key: UInt64 {
        get { UInt64(high) << 32 | UInt64(low) }
        set { self = SortEntry(key: newValue, item: item) }
    }
}

/// A stable sort of entries by key, least significant digit first.
/// - Complexity: O(n) for each 11 bits in which keys differ.
public enum RadixSort {
    private static let digitBits: UInt64 = 11
    private static let buckets = 1 << 11
    /// Up to this many are sorted faster by insertion than the buckets can be cleared.
    private static let few = 128

    /// Sorts by the keys without their lowest `skipped` bits; the result may be in other memory
    /// than the input.
    /// - Parameter bits: the number of bits of a key; all higher bits are 0.
    public static func sorted(
        _ entries: SharedColumn<SortEntry>, from skipped: Int = 0, bits: Int, workers: Workers
    ) -> SharedColumn<SortEntry> {
        guard entries.count > few else {
            insert(entries, from: UInt64(skipped))
            return entries
        }
        let pieces = workers.cut(entries.count)
        var source = entries
        var target = SharedColumn<SortEntry>(count: entries.count, in: workers.scratch)
        let counts = SharedColumn<UInt32>(count: pieces.count * buckets, in: workers.scratch)
        for shift in stride(from: UInt64(skipped), to: UInt64(bits), by: Int(digitBits)) {
            count(source, shift: shift, pieces: pieces, into: counts, workers: workers)
            guard makeOffsets(counts, pieces: pieces.count, total: entries.count) else { continue }
            // Every entry has just been counted, so its place is within the target.
            let (from, to) = unsafe (source.unchecked, target.unchecked)
            let next = unsafe counts.unchecked
            workers.forEach(pieces.count) { piece in
                for index in pieces[piece] {
                    let entry = from[index]
                    let counter = piece * buckets + digit(of: entry.key, shift: shift)
                    to[next[counter]] = entry
                    next[counter] += 1
                }
            }
            swap(&source, &target)
        }
        return source
    }

    /// The numbers below `count` in the order of their keys, which have that number of bits.
    @inlinable
    package static func order(
        of count: Int, from skipped: Int = 0, bits: Int, workers: Workers,
        key: @Sendable (Int) -> UInt64
    ) -> SharedColumn<SortEntry> {
        let entries = SharedColumn<SortEntry>(count: count, in: workers.scratch)
        workers.forEachRange(of: count) { range in
            for index in range {
                entries[index] = SortEntry(
                    key: key(index), item: UInt32(truncatingIfNeeded: index))
            }
        }
        return sorted(entries, from: skipped, bits: bits, workers: workers)
    }

    /// Sorts by insertion.
    private static func insert(_ entries: SharedColumn<SortEntry>, from skipped: UInt64) {
        for end in 0..<entries.count {
            let entry = entries[end]
            let key = entry.key >> skipped
            var index = end
            while index > 0, entries[index - 1].key >> skipped > key {
                entries[index] = entries[index - 1]
                index -= 1
            }
            entries[index] = entry
        }
    }

    @inline(__always)
    private static func digit(of key: UInt64, shift: UInt64) -> Int {
        Int(truncatingIfNeeded: key &>> shift) & (buckets - 1)
    }

    private static func count(
        _ entries: SharedColumn<SortEntry>, shift: UInt64, pieces: [Range<Int>],
        into counts: SharedColumn<UInt32>, workers: Workers
    ) {
        // Each piece has one counter for each value of a digit.
        let (entries, counts) = unsafe (entries.unchecked, counts.unchecked)
        workers.forEach(pieces.count) { piece in
            let first = piece * buckets
            for counter in first..<first + buckets { counts[counter] = 0 }
            for index in pieces[piece] {
                counts[first + digit(of: entries[index].key, shift: shift)] += 1
            }
        }
    }

    /// Turns counts into start indexes for each piece's entries; false if all entries have the same digit.
    private static func makeOffsets(
        _ counts: SharedColumn<UInt32>, pieces: Int, total: Int
    ) -> Bool {
        let counts = unsafe counts.unchecked
        var offset: UInt32 = 0
        for bucket in 0..<buckets {
            let start = offset
            for piece in 0..<pieces {
                let counter = piece * buckets + bucket
                let count = counts[counter]
                counts[counter] = offset
                offset += count
            }
            if Int(offset - start) == total { return false }
        }
        return true
    }
}
