import ParallelColumns
import Testing

struct ArenaTests {
    @Test(arguments: [0, 8 << 20])
    func `what was allocated before a stage outlives it`(expected: Int) {
        let arena = Arena(expecting: expected)
        let kept = Self.column(of: 100_000, filledWith: 7, in: arena)
        for stage in 0..<5 {
            let mark = arena.mark
            // The second is larger than all that was expected.
            let columns = [1_000, 3 << 20].map {
                Self.column(of: $0, filledWith: UInt32(stage), in: arena)
            }
            #expect(columns.allSatisfy { $0.allSatisfy { $0 == stage } })
            arena.release(to: mark)
            arena.trim()
            #expect(kept.allSatisfy { $0 == 7 })
        }
    }

    @Test func `a stage takes the memory of the one before`() {
        let arena = Arena(expecting: 8 << 20)
        let mark = arena.mark
        let first = Self.column(of: 500_000, filledWith: 1, in: arena)
        let second = Self.column(of: 10, filledWith: 2, in: arena)
        #expect(first.allSatisfy { $0 == 1 } && second.allSatisfy { $0 == 2 })
        arena.release(to: mark)
        #expect(Self.column(of: 5, filledWith: 3, in: arena).baseAddress == first.baseAddress)
    }

    @Test func `an arena that kept few pages holds as much as before`() {
        let arena = Arena(expecting: 16 << 20)
        for value in 1...3 {
            arena.reset(expecting: 1 << 20)
            let column = Self.column(of: 3 << 20, filledWith: UInt32(value), in: arena)
            #expect(column.allSatisfy { $0 == value })
        }
    }

    private static func column(
        of count: Int, filledWith value: UInt32, in arena: Arena
    ) -> UnsafeMutableBufferPointer<UInt32> {
        let start = arena.allocate(UInt32.self, count: count)
        start.initialize(repeating: value, count: count)
        return UnsafeMutableBufferPointer(start: start, count: count)
    }
}
