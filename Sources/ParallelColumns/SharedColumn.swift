import Points

/// A column of fixed length that several workers fill at once, each at indexes of its own.
///
/// It is a plain view of an arena's memory, so that hot loops copy it for nothing; whoever keeps
/// one keeps its arena. The rule that makes sharing safe is kept by the phases of the work: within
/// a phase an element is written by one worker only, and is read by others only if nobody writes
/// it. Indexes are checked in debug builds.
@safe
public struct SharedColumn<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    @usableFromInline let base: UnsafeMutablePointer<Element>
    public let count: Int

    /// A column whose elements must be written before they are read.
    public init(count: Int, in arena: Arena) {
        unsafe base = arena.allocate(Element.self, count: count)
        self.count = count
    }

    public init(repeating value: Element, count: Int, in arena: Arena) {
        self.init(count: count, in: arena)
        unsafe base.initialize(repeating: value, count: count)
    }

    /// The memory of a column, to be filled by workers before anybody else looks at it.
    public init(filling column: inout Column<Element>, keptIn arena: Arena) {
        let count = column.count
        var span = column.mutableSpan
        let start = unsafe span.withUnsafeMutableBufferPointer { $0.baseAddress }
        unsafe base = start ?? arena.allocate(Element.self, count: 0)
        self.count = count
        // The block of a column does not move while this copy of the column shares it.
        arena.keep(column)
    }

    /// The memory of a column, for reading.
    public init(viewing column: Column<Element>, keptIn arena: Arena) {
        let count = column.count
        let start = unsafe column.span.withUnsafeBufferPointer { $0.baseAddress }
        let memory = unsafe start.map { unsafe UnsafeMutablePointer(mutating: $0) }
        unsafe base = memory ?? arena.allocate(Element.self, count: 0)
        self.count = count
        arena.keep(column)
    }

    @inlinable @inline(__always)
    public subscript(index: Int) -> Element {
        get {
            assert(index >= 0 && index < count, "column index out of range")
            return unsafe base[index]
        }
        nonmutating set {
            assert(index >= 0 && index < count, "column index out of range")
            unsafe base[index] = newValue
        }
    }

    @inlinable @inline(__always)
    public subscript(index: UInt32) -> Element {
        get { self[Int(index)] }
        nonmutating set { self[Int(index)] = newValue }
    }
}
