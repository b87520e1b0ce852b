#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A growable column of plain values in one contiguous block.
///
/// Unlike an array it grows by `realloc`, which moves the pages of a large block instead of copying
/// them, so a column of a gigabyte never needs two. It has value semantics: a mutated copy is a copy.
public struct Column<Element: BitwiseCopyable & Sendable>: Sendable {
    @usableFromInline var block: Block

    @inlinable
    public init() { block = Block(capacity: 0) }

    @inlinable
    public init(capacity: Int) { block = Block(capacity: capacity) }

    @inlinable
    public init(repeating value: Element, count: Int) {
        block = Block(capacity: count)
        unsafe block.base.initialize(repeating: value, count: count)
        block.count = count
    }

    @inlinable
    public init(_ elements: some Sequence<Element>) {
        self.init(capacity: elements.underestimatedCount)
        for element in elements { append(element) }
    }

    @inlinable public var count: Int { block.count }
    @inlinable public var isEmpty: Bool { block.count == 0 }

    @inlinable
    public subscript(index: Int) -> Element {
        get {
            precondition(index >= 0 && index < block.count, "column index out of range")
            return unsafe block.base[index]
        }
        set {
            precondition(index >= 0 && index < block.count, "column index out of range")
            makeUnique()
            unsafe block.base[index] = newValue
        }
    }

    @inlinable
    public mutating func append(_ element: Element) {
        makeUnique()
        if block.count == block.capacity { block.grow(toHold: block.count + 1) }
        unsafe block.base[block.count] = element
        block.count += 1
    }

    @inlinable
    public mutating func append(contentsOf elements: Span<Element>) {
        makeUnique()
        let newCount = block.count + elements.count
        if newCount > block.capacity { block.grow(toHold: newCount) }
        let end = unsafe block.base + block.count
        unsafe elements.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress else { return }
            unsafe end.initialize(from: start, count: source.count)
        }
        block.count = newCount
    }

    /// Removes elements from the end until `count` are left.
    public mutating func truncate(to count: Int) {
        precondition(
            count >= 0 && count <= block.count, "a column can't be cut to more than it has")
        makeUnique()
        block.count = count
    }

    /// All elements, for reading in a tight loop.
    @inlinable
    public var span: Span<Element> {
        @_lifetime(borrow self)
        get {
            let span = unsafe Span(_unsafeElements: block.elements)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// All elements, for writing in a tight loop.
    @inlinable
    public var mutableSpan: MutableSpan<Element> {
        @_lifetime(&self)
        mutating get {
            makeUnique()
            let span = unsafe MutableSpan(_unsafeElements: block.mutableElements)
            return unsafe _overrideLifetime(span, mutating: &self)
        }
    }

    @inlinable
    mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&block) { block = block.copy() }
    }
}

extension Column {
    /// The memory of a column. Only `Column` touches it, and only while it is the sole owner.
    @usableFromInline
    @safe
    final class Block: @unchecked Sendable {
        @usableFromInline var base: UnsafeMutablePointer<Element>
        @usableFromInline var count = 0
        @usableFromInline var capacity: Int

        @usableFromInline
        init(capacity: Int) {
            self.capacity = max(capacity, 4)
            unsafe base = Self.reallocate(nil, self.capacity)
        }

        @usableFromInline
        var elements: UnsafeBufferPointer<Element> {
            unsafe UnsafeBufferPointer(start: base, count: count)
        }

        @usableFromInline
        var mutableElements: UnsafeMutableBufferPointer<Element> {
            unsafe UnsafeMutableBufferPointer(start: base, count: count)
        }

        @usableFromInline
        func grow(toHold needed: Int) {
            capacity = max(needed, capacity + capacity / 2)
            unsafe base = Self.reallocate(UnsafeMutableRawPointer(base), capacity)
        }

        @usableFromInline
        func copy() -> Block {
            let copy = Block(capacity: count)
            unsafe copy.base.initialize(from: base, count: count)
            copy.count = count
            return copy
        }

        private static func reallocate(
            _ old: UnsafeMutableRawPointer?, _ capacity: Int
        ) -> UnsafeMutablePointer<Element> {
            let (bytes, overflow) = capacity.multipliedReportingOverflow(
                by: MemoryLayout<Element>.stride)
            guard !overflow, let memory = unsafe realloc(old, bytes) else {
                fatalError("out of memory: a column of \(capacity) elements does not fit")
            }
            return unsafe memory.assumingMemoryBound(to: Element.self)
        }

        deinit { unsafe free(base) }
    }
}
