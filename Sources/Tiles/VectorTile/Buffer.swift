import CLibrary

/// Plain values that are appended, read and dropped, in memory that is kept.
///
/// An array would do, but checks at each append whether it is shared; that was a third of the time of writing a
/// tile. A buffer has one owner. Every access is checked.
@safe
struct Buffer<Element: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
    private var base: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int = 64) {
        self.capacity = capacity
        unsafe base = Self.reallocate(nil, capacity)
    }

    init(repeating value: Element, count: Int) {
        self.init(capacity: count)
        unsafe base.initialize(repeating: value, count: count)
        self.count = count
    }

    deinit { unsafe free(base) }

    subscript(index: Int) -> Element {
        get {
            precondition(index >= 0 && index < count, "buffer index out of range")
            return unsafe base[index]
        }
        set {
            precondition(index >= 0 && index < count, "buffer index out of range")
            unsafe base[index] = newValue
        }
    }

    var span: Span<Element> {
        @_lifetime(borrow self)
        borrowing get {
            let elements = unsafe UnsafeBufferPointer(start: base, count: count)
            return unsafe _overrideLifetime(Span(_unsafeElements: elements), borrowing: self)
        }
    }

    mutating func removeAll() { count = 0 }

    /// Makes room for `more` elements.
    mutating func reserve(_ more: Int) {
        if capacity - count < more { grow(by: more) }
    }

    mutating func append(_ element: Element) {
        reserve(1)
        unsafe base[count] = element
        count += 1
    }

    mutating func append(_ elements: Span<Element>) {
        unsafe elements.withUnsafeBufferPointer { unsafe append($0) }
    }

    mutating func append(_ other: borrowing Buffer, in range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= other.count)
        unsafe append(
            UnsafeBufferPointer(start: other.base + range.lowerBound, count: range.count))
    }

    mutating func append(_ other: borrowing Buffer) { append(other, in: 0..<other.count) }

    /// Moves the elements from `index` on up by `shift` places; the content of the gap is arbitrary.
    mutating func open(at index: Int, by shift: Int) {
        precondition(index >= 0 && index <= count && shift >= 0)
        reserve(shift)
        let tail = unsafe base + index
        unsafe (tail + shift).update(from: tail, count: count - index)
        count += shift
    }

    private mutating func append(_ elements: UnsafeBufferPointer<Element>) {
        guard let start = elements.baseAddress else { return }
        reserve(elements.count)
        unsafe (base + count).update(from: start, count: elements.count)
        count += elements.count
    }

    private mutating func grow(by more: Int) {
        capacity = max(count + more, capacity * 2)
        unsafe base = Self.reallocate(base, capacity)
    }

    private static func reallocate(
        _ old: UnsafeMutablePointer<Element>?, _ capacity: Int
    ) -> UnsafeMutablePointer<Element> {
        let (size, overflow) = capacity.multipliedReportingOverflow(
            by: MemoryLayout<Element>.stride)
        guard !overflow, let memory = unsafe realloc(old, size) else {
            fatalError("out of memory: \(capacity) elements of a tile do not fit")
        }
        return unsafe memory.assumingMemoryBound(to: Element.self)
    }
}
