import CLibrary

/// A growable block of memory for a part of the input, with zeros after its last byte.
///
/// The zeros are a sentinel: no text format here has a byte 0, so a cursor's loops stop there, and
/// a group of bytes may be loaded at any offset up to the end.
@safe
struct ByteBlock: ~Copyable {
    /// The number of zeros after the bytes.
    static let padding = 64

    private(set) var base: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private(set) var capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        unsafe base = .allocate(capacity: capacity + Self.padding)
        unsafe (base + capacity).initialize(repeating: 0, count: Self.padding)
    }

    deinit { unsafe base.deallocate() }

    /// Replaces the bytes.
    mutating func assign(_ bytes: [UInt8]) {
        count = 0
        if bytes.count > capacity { grow(to: bytes.count) }
        unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return }
            unsafe base.initialize(from: start, count: bytes.count)
        }
        setCount(bytes.count)
    }

    mutating func grow(to newCapacity: Int) {
        precondition(newCapacity >= count)
        let larger = UnsafeMutablePointer<UInt8>.allocate(
            capacity: newCapacity + Self.padding)
        unsafe larger.initialize(from: base, count: count)
        unsafe base.deallocate()
        unsafe base = larger
        capacity = newCapacity
        setCount(count)
    }

    /// Fills the room after the bytes; false if there was nothing more to read.
    mutating func fill(from input: any ByteStream) throws(InputError) -> Bool {
        let room = unsafe UnsafeMutableRawBufferPointer(
            start: base + count, count: capacity - count)
        let more = try unsafe input.fill(room)
        setCount(count + more)
        return more > 0
    }

    /// Drops the bytes from an offset on; the zeros then begin there.
    mutating func truncate(to offset: Int) {
        precondition(offset <= count)
        setCount(offset)
    }

    private mutating func setCount(_ newCount: Int) {
        count = newCount
        unsafe (base + count).initialize(repeating: 0, count: Self.padding)
    }

    /// A cursor at an offset; it must not outlive the block or be used after it changes.
    func cursor(at offset: Int = 0) -> ByteCursor {
        precondition(offset >= 0 && offset <= count)
        return unsafe ByteCursor(base: UnsafePointer(base), offset: offset, end: count)
    }

    /// A copy of the bytes from an offset on.
    func bytes(from offset: Int) -> [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: base + offset, count: count - offset))
    }
}
