/// A window on the bytes of an input that slides forwards and holds as much as is asked for at once.
struct InputWindow {
    let input: OpenInput
    /// Where the window's first byte stands in the input.
    private(set) var offset = 0
    private var buffer: [UInt8]
    private var start = 0
    private var end = 0

    init(_ input: OpenInput) {
        self.input = input
        buffer = [UInt8](repeating: 0, count: 1 << 18)
    }

    /// How many bytes are at hand.
    var available: Int { end - start }

    /// Brings `count` bytes to hand; false if the input ends before.
    ///
    /// The buffer grows only as bytes arrive, so a length that lies takes no memory.
    mutating func fill(_ count: Int) throws(InputError) -> Bool {
        while available < count {
            if start > 0 { moveToFront() }
            if end == buffer.count {
                buffer.append(contentsOf: repeatElement(0, count: buffer.count))
            }
            let (input, end) = (input, end)
            let more = try unsafe buffer.withUnsafeMutableBufferPointer {
                bytes throws(InputError) in
                let room = unsafe UnsafeMutableBufferPointer(rebasing: bytes[end...])
                return try unsafe input.read(into: UnsafeMutableRawBufferPointer(room))
            }
            if more == 0 { return false }
            self.end += more
        }
        return true
    }

    /// The first `count` bytes at hand.
    @_lifetime(borrow self)
    func bytes(_ count: Int) -> Span<UInt8> { buffer.span.extracting(start..<start + count) }

    /// Goes past `count` bytes, at hand or not; false if the input ends before.
    mutating func skip(_ count: Int) throws(InputError) -> Bool {
        var rest = count
        while rest > available {
            rest -= available
            drop(available)
            guard try fill(1) else { return false }
        }
        drop(rest)
        return true
    }

    private mutating func drop(_ count: Int) {
        start += count
        offset += count
    }

    private mutating func moveToFront() {
        let (start, count) = (start, available)
        unsafe buffer.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            unsafe base.copyMemory(from: base + start, byteCount: count)
        }
        (self.start, end) = (0, count)
    }
}
