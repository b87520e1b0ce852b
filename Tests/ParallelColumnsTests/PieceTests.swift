import Foundation
import ParallelColumns
import Synchronization
import TestSupport
import Testing

/// How work is cut, and what comes of the pieces.
struct PieceTests {
    @Test func `work is cut into equal pieces, none too small and four a worker at most`() {
        func cut(_ total: Int, threads: Int, atLeast minimum: Int = 10) -> [Int] {
            Workers(threads, scratch: Arena()).cut(total, eachAtLeast: minimum).map(\.count)
        }
        #expect(cut(100, threads: 1) == [100])
        #expect(cut(0, threads: 4) == [0])
        #expect(cut(19, threads: 4) == [19])
        #expect(cut(20, threads: 4) == [10, 10])
        #expect(cut(29, threads: 2) == [14, 15])
        #expect(cut(1_000, threads: 2) == Array(repeating: 125, count: 8))
        #expect(Workers(2, scratch: Arena()).cut(16_384).count == 2)
        #expect(Workers(2, scratch: Arena()).cut(16_383).count == 1)
        #expect(Workers(0, scratch: Arena()).count == 1)
        for total in [1, 999, 1_234] {
            let pieces = Workers(3, scratch: Arena()).cut(total, eachAtLeast: 7)
            #expect(pieces.first?.lowerBound == 0 && pieces.last?.upperBound == total)
            #expect(zip(pieces, pieces.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        }
    }

    @Test(arguments: [1, 2, 8])
    func `results stand in the order of the pieces`(threads: Int) {
        let workers = Workers(threads, scratch: Arena())
        for count in [0, 1, 2, 63] {
            let results = workers.map(Array(0..<count)) { piece -> Int in
                var random = SeededRandom(seed: UInt64(piece))
                for _ in 0..<(random.next() % 500) { _ = random.next() }
                return piece * piece
            }
            #expect(results == (0..<count).map { $0 * $0 })
        }
    }

    @Test func `two threads work at once`() {
        let workers = Workers(2, scratch: Arena())
        let begun = Atomic(0)
        // Each piece waits until the other has begun as well; with one thread it would in vain.
        workers.forEach(2) { _ in
            begun.add(1, ordering: .acquiringAndReleasing)
            // A busy machine may take its time to wake the other.
            let end = ContinuousClock.now + .seconds(100)
            while begun.load(ordering: .acquiring) < 2, ContinuousClock.now < end { usleep(100) }
            begun.add(begun.load(ordering: .acquiring) == 1 ? 100 : 0, ordering: .relaxed)
        }
        #expect(begun.load(ordering: .relaxed) == 2)
    }

    @Test func `a stage gives back what it took, and nothing before it`() {
        let workers = Workers(2, scratch: Arena(expecting: 8 << 20))
        let before = SharedColumn<Int>(repeating: 1, count: 100, in: workers.scratch)
        let first = workers.stage { SharedColumn<Int>(repeating: 2, count: 50, in: $0.scratch) }
        let second = workers.stage { SharedColumn<Int>(repeating: 3, count: 50, in: $0.scratch) }
        #expect(before[99] == 1 && second[49] == 3 && first[49] == 3)
    }

    @Test(arguments: [127, 128, 129, 5_000])
    func `keys of 64 bits are sorted, few or many`(count: Int) {
        var random = SeededRandom(seed: 3)
        let workers = Workers(2, scratch: Arena())
        let keys = (0..<count).map { $0 % 5 == 0 ? UInt64($0 % 3) << 63 : random.next() }
        let entries = SharedColumn<SortEntry>(count: count, in: workers.scratch)
        for (index, key) in keys.enumerated() {
            entries[index] = SortEntry(key: key, item: UInt32(index))
        }
        let sorted = RadixSort.sorted(entries, bits: 64, workers: workers)
        let wanted = keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
        #expect((0..<count).map { Int(sorted[$0].item) } == wanted)
        #expect((0..<count).map { sorted[$0].key } == wanted.map { keys[$0] })
    }
}
