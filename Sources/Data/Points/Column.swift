/// A growable column of plain values in one contiguous block.
///
/// Unlike an array it grows by remapping the pages of a large block instead of copying them, so a
/// column of a gigabyte never needs two. It has value semantics.
@safe
public struct Column<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    // Copies of the block's address and size: reading a class's variables costs a check for
    // exclusive access each time.
    @usableFromInline var base: UnsafeMutablePointer<Element>
    @usableFromInline var storedCount = 0
    @inlinable public var count: Int { storedCount }
    @usableFromInline var capacity: Int
    /// The memory of the elements: copies of the column share it until one is changed.
    @usableFromInline package var memory: MemoryBlock

    public init() { self.init(capacity: 0) }

    public init(capacity: Int) {
        self.capacity = max(capacity, 4)
        memory = MemoryBlock(byteCount: Self.byteCount(of: self.capacity))
        unsafe base = memory.start.assumingMemoryBound(to: Element.self)
    }

    public init(repeating value: Element, count: Int) {
        self.init(capacity: count)
        unsafe base.initialize(repeating: value, count: count)
        storedCount = count
    }

    @inlinable
    public init(_ elements: some Sequence<Element>) {
        self.init(capacity: elements.underestimatedCount)
        for element in elements { append(element) }
    }

    /// A column with uninitialized elements; each must be set.
    @unsafe
    public init(uninitialized count: Int) {
        self.init(capacity: count)
        storedCount = count
    }

    /// Keeps the first `newCount` elements.
    public mutating func truncate(to newCount: Int) {
        precondition(newCount >= 0 && newCount <= count, "a column can't be cut longer")
        makeUnique()
        storedCount = newCount
    }

    @inlinable public var isEmpty: Bool { count == 0 }

    @inlinable
    public subscript(index: Int) -> Element {
        get {
            precondition(index >= 0 && index < count, "column index out of range")
            return unsafe base[index]
        }
        set {
            precondition(index >= 0 && index < count, "column index out of range")
            makeUnique()
            unsafe base[index] = newValue
        }
    }

    @inlinable
    public mutating func append(_ element: Element) {
        makeUnique()
        if count == capacity { grow(toHold: count + 1) }
        unsafe base[count] = element
        storedCount += 1
    }

    @inlinable
    public mutating func append(contentsOf elements: Span<Element>) {
        makeUnique()
        let newCount = count + elements.count
        if newCount > capacity { grow(toHold: newCount) }
        let end = unsafe base + count
        unsafe elements.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress else { return }
            unsafe end.initialize(from: start, count: source.count)
        }
        storedCount = newCount
    }

    /// Appends uninitialized elements; each must be set.
    @unsafe
    public mutating func append(uninitialized added: Int) {
        makeUnique()
        if capacity - count < added { grow(toHold: count + added) }
        storedCount += added
    }

    /// Lets `body` fill up to `room` elements after the last, and adds as many as it returns.
    @inlinable
    @inline(__always)
    mutating func append(room: Int, _ body: (UnsafeMutablePointer<Element>) -> Int) {
        makeUnique()
        if capacity - count < room { grow(toHold: count + room) }
        let added = unsafe body(base + count)
        precondition(added >= 0 && added <= room)
        storedCount += added
    }

    /// Appends `added` elements, each made from its index among them.
    @inline(__always)
    mutating func append(count added: Int, _ element: (Int) -> Element) {
        unsafe append(room: added) { room in
            for index in 0..<added { unsafe room[index] = element(index) }
            return added
        }
    }

    /// All elements, for reading in a tight loop.
    @inlinable
    public var span: Span<Element> {
        @_lifetime(borrow self)
        get {
            let elements = unsafe UnsafeBufferPointer(start: base, count: count)
            let span = unsafe Span(_unsafeElements: elements)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// All elements, for writing in a tight loop.
    @inlinable
    public var mutableSpan: MutableSpan<Element> {
        @_lifetime(&self)
        mutating get {
            makeUnique()
            let elements = unsafe UnsafeMutableBufferPointer(start: base, count: count)
            let span = unsafe MutableSpan(_unsafeElements: elements)
            return unsafe _overrideLifetime(span, mutating: &self)
        }
    }

    /// Copies the memory if other columns share it.
    @inlinable
    package mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&memory) { copyBlock() }
    }

    @usableFromInline
    mutating func copyBlock() {
        var copy = Column(capacity: count)
        unsafe copy.base.initialize(from: base, count: count)
        copy.storedCount = count
        self = copy
    }

    @usableFromInline
    mutating func grow(toHold needed: Int) {
        let larger = max(needed, capacity + capacity / 2)
        memory.grow(to: Self.byteCount(of: larger))
        unsafe base = memory.start.assumingMemoryBound(to: Element.self)
        capacity = larger
    }

    private static func byteCount(of capacity: Int) -> Int {
        let (bytes, overflow) = capacity.multipliedReportingOverflow(
            by: MemoryLayout<Element>.stride)
        guard !overflow else {
            fatalError("out of memory: a column of \(capacity) elements does not fit")
        }
        return bytes
    }
}
