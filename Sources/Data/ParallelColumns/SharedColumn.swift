import Points

/// A column of fixed length that several workers fill at once, each at its own indexes.
///
/// It is a view of a block of memory, which it retains; every index is checked against its length.
/// The phases of the work keep the rule that prevents races: within a phase only one worker writes
/// an element, and others read it only while none writes it. All elements are plain bits, so a
/// column that breaks the rule gives wrong numbers and nothing worse.
@safe
public struct SharedColumn<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    @usableFromInline let base: UnsafeMutablePointer<Element>
    public let count: Int
    private let memory: MemoryBlock

    /// A column whose elements must be written before they are read.
    public init(count: Int, in arena: Arena) {
        precondition(count >= 0, "a column has no elements or some")
        let (memory, offset) = arena.allocate(byteCount: count * MemoryLayout<Element>.stride)
        unsafe base = (memory.start + offset).assumingMemoryBound(to: Element.self)
        self.count = count
        self.memory = memory
    }

    public init(repeating value: Element, count: Int, in arena: Arena) {
        self.init(count: count, in: arena)
        unsafe base.initialize(repeating: value, count: count)
    }

    /// A view of a column's memory, which workers fill before it is read.
    public init(filling column: inout Column<Element>) {
        // So that no copy of the column sees the writes.
        column.makeUnique()
        self.init(viewing: column)
    }

    /// A view of a column's memory for reading: writes would change its copies.
    public init(viewing column: Column<Element>) {
        memory = column.memory
        count = column.count
        unsafe base = memory.start.assumingMemoryBound(to: Element.self)
    }

    @inlinable @inline(__always)
    public subscript(index: Int) -> Element {
        get {
            check(index)
            return unsafe base[index]
        }
        nonmutating set {
            check(index)
            unsafe base[index] = newValue
        }
    }

    @inlinable @inline(__always)
    public subscript(index: UInt32) -> Element {
        get { self[Int(index)] }
        nonmutating set { self[Int(index)] = newValue }
    }

    @inlinable @inline(__always)
    func check(_ index: Int) {
        // As an unsigned number, a negative index is greater than any count.
        precondition(
            UInt(bitPattern: index) < UInt(bitPattern: count), "column index out of range")
    }
}

extension SharedColumn {
    /// The column for a loop that index checks would slow down. It does not retain the memory, and
    /// only debug builds check its indexes: the caller is responsible for both.
    @unsafe
    @inlinable @inline(__always)
    public var unchecked: UncheckedColumn<Element> {
        unsafe UncheckedColumn(base: base, count: count)
    }
}

/// A view of a column whose indexes the surrounding loop keeps in range; making one is unsafe.
@safe
public struct UncheckedColumn<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    @usableFromInline let base: UnsafeMutablePointer<Element>
    @usableFromInline let count: Int

    @inlinable @inline(__always)
    init(base: UnsafeMutablePointer<Element>, count: Int) {
        unsafe self.base = base
        self.count = count
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
