import ParallelColumns
import Points
import Testing

struct ArenaTests {
    @Test(arguments: [0, 8 << 20])
    func `what was allocated before a stage outlives it`(expected: Int) {
        let arena = Arena(expecting: expected)
        let kept = SharedColumn<UInt32>(repeating: 7, count: 100_000, in: arena)
        for stage in 0..<5 {
            let mark = arena.mark
            // The second is larger than all that was expected.
            for count in [1_000, 3 << 20] {
                let column = SharedColumn(repeating: UInt32(stage), count: count, in: arena)
                #expect(Self.all(column, equal: UInt32(stage)))
            }
            arena.release(to: mark)
            arena.trim()
            #expect(Self.all(kept, equal: 7))
        }
    }

    @Test func `a stage takes the memory of the one before`() {
        let arena = Arena(expecting: 8 << 20)
        let mark = arena.mark
        let first = SharedColumn<UInt32>(repeating: 1, count: 500_000, in: arena)
        let second = SharedColumn<UInt32>(repeating: 2, count: 10, in: arena)
        #expect(Self.all(first, equal: 1) && Self.all(second, equal: 2))
        arena.release(to: mark)
        let next = SharedColumn<UInt32>(repeating: 3, count: 5, in: arena)
        #expect(Self.all(next, equal: 3) && first[4] == 3 && first[5] == 1)
    }

    @Test func `columns side by side share no memory`() {
        let arena = Arena(expecting: 4 << 20)
        let columns = [1, 16, 17, 0, 1_000, 3, 1 << 20, 1 << 19].enumerated().map {
            SharedColumn(repeating: UInt32($0), count: $1, in: arena)
        }
        for (number, column) in columns.enumerated() {
            #expect(Self.all(column, equal: UInt32(number)))
        }
    }

    @Test(arguments: [0, 64 << 20])
    func `a column outlives its arena`(expected: Int) {
        var columns: [SharedColumn<UInt64>] = []
        for value in 0..<20 {
            let arena = Arena(expecting: expected)
            columns.append(SharedColumn(repeating: UInt64(value), count: 10_000, in: arena))
        }
        for (value, column) in columns.enumerated() {
            #expect(Self.all(column, equal: UInt64(value)))
        }
    }

    @Test func `an arena that kept few pages holds as much as before`() {
        let arena = Arena(expecting: 16 << 20)
        for value in 1...3 {
            arena.reset(expecting: 1 << 20)
            let column = SharedColumn(repeating: UInt32(value), count: 3 << 20, in: arena)
            #expect(Self.all(column, equal: UInt32(value)))
        }
    }

    @Test func `pages that were used since the last trim are kept, others are let go`() {
        let arena = Arena(expecting: 64 << 20)
        let mark = arena.mark
        let column = SharedColumn<UInt8>(repeating: 9, count: 32 << 20, in: arena)
        arena.release(to: mark)
        arena.trim()
        #expect(column[0] == 9 && column[column.count - 1] == 9)
        arena.trim()
        // On other systems pages stay with their last owner.
        #if os(Linux)
            #expect(column[column.count - 1] == 0)
        #endif
    }

    @Test func `workers that fill a column change no copy of it`() {
        var column = Column<Int>(repeating: 1, count: 100)
        let copy = column
        let target = SharedColumn(filling: &column)
        for index in 0..<100 { target[index] = index }
        #expect(Array(0..<100) == (0..<100).map { column[$0] })
        #expect((0..<100).allSatisfy { copy[$0] == 1 })
    }

    @Test func `a view of a column outlives what happens to the column`() {
        var column = Column<Int>(0..<1_000)
        let view = SharedColumn(viewing: column)
        for index in 0..<1_000 { column[index] = -1 }
        for _ in 0..<100_000 { column.append(-2) }
        column = Column()
        #expect(view.count == 1_000 && (0..<1_000).allSatisfy { view[$0] == $0 })
    }

    @Test(arguments: [-1, 10, .min, .max])
    func `an index out of range is noticed`(index: Int) async {
        await #expect(processExitsWith: .success) {
            let column = SharedColumn<Int>(repeating: 0, count: 10, in: Arena())
            _ = column[0] + column[9]
        }
        await #expect(processExitsWith: .failure) { [index] in
            let column = SharedColumn<Int>(repeating: 0, count: 10, in: Arena())
            column[index] = 1
        }
    }

    /// Looks at all elements, or at each 31st and the last where there are many.
    private static func all<Element: Equatable>(
        _ column: SharedColumn<Element>, equal value: Element
    ) -> Bool {
        let step = column.count > 100_000 ? 31 : 1
        return stride(from: column.count - 1, through: 0, by: -step)
            .allSatisfy { column[$0] == value } && (column.count == 0 || column[0] == value)
    }
}
