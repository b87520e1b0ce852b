import ParallelColumns
import Points
import Synchronization
import TestSupport
import Testing

/// Columns that come and go at random, against a plain list of what each must hold.
struct RandomArenaTests {
    private struct Held {
        let column: SharedColumn<UInt32>
        let value: UInt32

        /// Whether the ends and some places between hold the value.
        var isWhole: Bool {
            let count = column.count
            let step = max(count / 61, 1)
            return count == 0
                || column[count - 1] == value
                    && stride(from: 0, to: count, by: step).allSatisfy { column[$0] == value }
        }
    }

    @Test(arguments: [0, (4 << 20) - 1, 4 << 20, 9 << 20])
    func `no column has memory of another that is held`(expected: Int) {
        var random = SeededRandom(seed: UInt64(expected))
        let arena = Arena(expecting: expected)
        // Each stage has a mark and what was taken in it.
        var stages: [(mark: Arena.Mark, held: [Held])] = [(arena.mark, [])]
        for value in 0..<UInt32(250) {
            switch random.next() % 8 {
            case 0: stages.append((arena.mark, []))
            case 1 where stages.count > 1:
                arena.release(to: stages[stages.count - 1].mark)
                stages.removeLast()
            case 2: arena.trim()
            case 3 where value % 5 == 0:
                arena.reset(expecting: 1 << 20)
                stages = [(arena.mark, [])]
            default:
                let count = Int(random.next() % 9) * Int(1 << (random.next() % 16))
                let column = SharedColumn(repeating: value, count: count, in: arena)
                #expect(column.count == count)
                stages[stages.count - 1].held.append(Held(column: column, value: value))
            }
            let isWhole = stages.allSatisfy { $0.held.allSatisfy(\.isWhole) }
            guard isWhole else {
                Issue.record("step \(value): a column that is held was written to")
                return
            }
        }
    }

    /// Whether two columns of so many bytes, the second after the first was given back, are at one place.
    private func isTakenAgain(_ count: Int, by other: Int = 64, in arena: Arena) -> Bool {
        let mark = arena.mark
        let first = SharedColumn<UInt8>(repeating: 1, count: count, in: arena)
        arena.release(to: mark)
        let second = SharedColumn<UInt8>(repeating: 2, count: other, in: arena)
        arena.release(to: mark)
        return withExtendedLifetime(second) { first[0] == 2 }
    }

    @Test func `what was expected is taken at once, and to its last byte`() {
        let least = MemoryBlock.leastMapping
        #expect(!isTakenAgain(8, in: Arena(expecting: least - 1)))
        #expect(isTakenAgain(8, in: Arena(expecting: least)))
        let arena = Arena(expecting: least)
        #expect(isTakenAgain(least, in: arena) && isTakenAgain(least - 63, in: arena))
        #expect(!isTakenAgain(least + 1, in: arena))
        // Behind a column the next begins with the next cache line.
        let mark = arena.mark
        let one = SharedColumn<UInt8>(repeating: 1, count: 65, in: arena)
        #expect(isTakenAgain(least - 128, in: arena) && !isTakenAgain(least - 127, in: arena))
        #expect(one[64] == 1)
        arena.release(to: mark)
        #expect(isTakenAgain(least, in: arena))
    }

    #if os(Linux)
        @Test func `a reset keeps the pages that are expected, and lets go of the others`() {
            let arena = Arena(expecting: 16 << 20)
            let column = SharedColumn<UInt8>(repeating: 9, count: 16 << 20, in: arena)
            arena.reset(expecting: 4 << 20)
            #expect(column[(4 << 20) - 1] == 9 && column[4 << 20] == 0)
            let other = SharedColumn<UInt8>(repeating: 7, count: 3 << 20, in: arena)
            #expect(column[(3 << 20) - 1] == 7 && column[3 << 20] == 9 && other.count == 3 << 20)
            arena.trim()
            #expect(column[(3 << 20) - 1] == 7 && column[(4 << 20) - 1] == 9)
        }
    #endif

    @Test func `columns are read by numbers of either kind, and of any length`() {
        let arena = Arena()
        let column = SharedColumn<UInt16>(repeating: 3, count: 5, in: arena)
        column[UInt32(2)] = 8
        #expect((0..<5).map { column[$0] } == [3, 3, 8, 3, 3] && column[UInt32(2)] == 8)
        let view = unsafe column.unchecked
        view[UInt32(4)] = 1
        view[0] = 2
        #expect(view[UInt32(0)] == 2 && column[4] == 1 && view[4] == 1)
        #expect(SharedColumn<Int>(count: 0, in: arena).count == 0)
        var entry = SortEntry(key: 0x1234_5678_9ABC_DEF0, item: 7)
        #expect(entry.key == 0x1234_5678_9ABC_DEF0)
        entry.key = 1 << 63 | 5
        #expect(entry.key == 1 << 63 | 5 && entry.item == 7)
    }
}

/// How work is cut and done, against plain loops.
struct RandomWorkTests {
    @Test(arguments: 0..<12)
    func `entries are sorted by the bits between two`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let workers = Workers(1 + Int(seed % 3), scratch: Arena())
        for _ in 0..<8 {
            let bits = 1 + Int(random.next() % 64)
            let skipped = Int(random.next() % UInt64(bits))
            let count = [0, 2, 127, 128, 129, 130, 700][Int(random.next() % 7)]
            let mask = random.next() | random.next()
            let entries = SharedColumn<SortEntry>(count: count, in: workers.scratch)
            for index in 0..<count {
                let key = random.next() & mask >> UInt64(64 - bits)
                entries[index] = SortEntry(key: key, item: UInt32(index))
            }
            let wanted = (0..<count).map { entries[$0] }.sorted {
                ($0.key >> UInt64(skipped), $0.item) < ($1.key >> UInt64(skipped), $1.item)
            }
            let sorted = RadixSort.sorted(entries, from: skipped, bits: bits, workers: workers)
            #expect((0..<count).map { sorted[$0].item } == wanted.map(\.item))
            #expect((0..<count).map { sorted[$0].key } == wanted.map(\.key))
        }
    }

    /// Enough entries for several pieces, whose keys differ in a digit here and there.
    @Test(arguments: [1, 3])
    func `entries of several pieces are sorted, whatever digits they share`(threads: Int) {
        var random = SeededRandom(seed: 9)
        let workers = Workers(threads, scratch: Arena())
        let count = 3 * 8_192
        for mask: UInt64 in [0, 0xFF << 22, 1 << 63 | 1, 0x7FF << 11] {
            let entries = SharedColumn<SortEntry>(count: count, in: workers.scratch)
            for index in 0..<count {
                entries[index] = SortEntry(key: random.next() & mask | 1 << 33, item: UInt32(index))
            }
            let sorted = RadixSort.sorted(entries, bits: 64, workers: workers)
            let isSorted = (1..<count).allSatisfy {
                (sorted[$0 - 1].key, sorted[$0 - 1].item) < (sorted[$0].key, sorted[$0].item)
            }
            #expect(isSorted && sorted.count == count)
        }
    }

    @Test func `pieces are as many and as even as they can be`() {
        for threads in 1...4 {
            let workers = Workers(threads, scratch: Arena())
            for total in [0, 1, 7, 8, 9, 100, 1_000] {
                for minimum in [1, 3, 8, 1_001] {
                    let pieces = workers.cut(total, eachAtLeast: minimum)
                    let wanted = threads == 1 ? 1 : min(max(total / minimum, 1), 4 * threads)
                    #expect(pieces.count == wanted && pieces.flatMap(\.self) == Array(0..<total))
                    let counts = pieces.map(\.count)
                    #expect((counts.max() ?? 0) - (counts.min() ?? 0) <= 1)
                    #expect(pieces.count == 1 || (counts.min() ?? 0) >= minimum)
                }
            }
        }
    }

    @Test(arguments: 1...4) func `jobs of every size are done once each, one beside the other`(
        threads: Int
    ) {
        let workers = Workers(threads, scratch: Arena())
        let totals = Mutex([Int](repeating: 0, count: 12))
        workers.forEach(12) { outer in
            let inner = workers.map(Array(0..<outer)) { $0 + outer }
            totals.withLock { $0[outer] += inner.reduce(0, +) }
        }
        let wanted = (0..<12).map { (outer: Int) in (0..<outer).reduce(outer * outer, +) }
        #expect(totals.withLock { $0 } == wanted)
        #expect(Workers.with(threads, expecting: 0) { $0.count } == threads)
        #expect(Workers(-3, scratch: Arena()).count == 1)
    }
}
