import Points

/// A column of fixed length that several workers fill at once, each at places of its own.
///
/// It is a reference to memory: copies share it. The rule that makes this safe is kept by the
/// phases of the engine: within a phase a place is written by one worker only, and is read by
/// others only if nobody writes it. Indexes are checked in debug builds.
@safe
struct SharedColumn<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    private let memory: Memory
    private let base: UnsafeMutablePointer<Element>
    let count: Int

    /// A column whose places must be written before they are read.
    init(count: Int) {
        memory = Memory(count: count)
        unsafe base = memory.base
        self.count = count
    }

    init(repeating value: Element, count: Int) {
        self.init(count: count)
        unsafe base.initialize(repeating: value, count: count)
    }

    /// The memory of a column, to be filled by workers before anybody else looks at it.
    init(filling column: inout Column<Element>) {
        var start: UnsafeMutablePointer<Element>?
        var span = column.mutableSpan
        unsafe span.withUnsafeMutableBufferPointer { unsafe start = $0.baseAddress }
        // The column's block does not move while it is shared, and the copy keeps it alive.
        memory = Memory(keeping: column)
        unsafe base = start ?? memory.base
        count = column.count
    }

    /// A copy of a column.
    init(_ column: Column<Element>) {
        self.init(count: column.count)
        let span = column.span
        for index in span.indices { self[index] = span[index] }
    }

    @inline(__always)
    subscript(index: Int) -> Element {
        get {
            assert(index >= 0 && index < count, "column index out of range")
            return unsafe base[index]
        }
        nonmutating set {
            assert(index >= 0 && index < count, "column index out of range")
            unsafe base[index] = newValue
        }
    }

    @inline(__always)
    subscript(index: UInt32) -> Element {
        get { self[Int(index)] }
        nonmutating set { self[Int(index)] = newValue }
    }

    @safe
    private final class Memory {
        let base: UnsafeMutablePointer<Element>
        private let column: Column<Element>?

        init(count: Int) {
            unsafe base = .allocate(capacity: max(count, 1))
            column = nil
        }

        init(keeping column: Column<Element>) {
            unsafe base = .allocate(capacity: 1)
            self.column = column
        }

        deinit { unsafe base.deallocate() }
    }
}
