import ParallelColumns
import TestSupport
import Testing

struct RadixSortTests {
    static func entries(_ count: Int, bits: Int, in arena: Arena) -> SharedColumn<SortEntry> {
        var random = SeededRandom(seed: UInt64(count + bits))
        let entries = SharedColumn<SortEntry>(count: count, in: arena)
        for index in 0..<count {
            // Keys from a small set too, so that many are equal.
            let key = random.next() >> UInt64(64 - bits)
            entries[index] = SortEntry(
                key: index % 3 == 0 ? key & 0xFF : key, item: UInt32(index))
        }
        return entries
    }

    @Test(arguments: [0, 1, 2, 100, 129, 1_000, 20_000], [1, 2, 3, 8])
    func `entries are sorted by key, and equal ones keep their order, in any number of threads`(
        count: Int, threads: Int
    ) {
        for bits in [10, 28, 48] {
            let workers = Workers(threads, scratch: Arena())
            let entries = Self.entries(count, bits: bits, in: workers.scratch)
            let expected = (0..<count).map { entries[$0] }
                .sorted { ($0.key, $0.item) < ($1.key, $1.item) }
            let sorted = RadixSort.sorted(entries, bits: bits, workers: workers)
            #expect((0..<sorted.count).map { sorted[$0].key } == expected.map(\.key))
            #expect((0..<sorted.count).map { sorted[$0].item } == expected.map(\.item))
        }
    }

    @Test(arguments: [3, 300])
    func `the bits that are skipped are not sorted by`(count: Int) {
        let workers = Workers(2, scratch: Arena())
        let entries = SharedColumn<SortEntry>(count: count, in: workers.scratch)
        for (index, key) in [UInt64(0x1FF), 0x101, 0x0FF].enumerated() {
            entries[index] = SortEntry(key: key, item: UInt32(index))
        }
        for index in 3..<count { entries[index] = SortEntry(key: 0xFFFF, item: UInt32(index)) }
        let sorted = RadixSort.sorted(entries, from: 8, bits: 16, workers: workers)
        #expect((0..<count).map { Int(sorted[$0].item) } == [2, 0, 1] + Array(3..<count))
    }

    @Test(arguments: [1, 2, 8])
    func `each piece of work is done once`(threads: Int) {
        let workers = Workers(threads, scratch: Arena())
        let times = SharedColumn<UInt32>(repeating: 0, count: 10_000, in: workers.scratch)
        let pieces = workers.cut(times.count, eachAtLeast: 10)
        workers.forEach(pieces.count) { piece in
            for index in pieces[piece] { times[index] += 1 }
        }
        #expect((0..<times.count).allSatisfy { times[$0] == 1 })
        #expect(pieces.map(\.count).reduce(0, +) == times.count)
    }
}
