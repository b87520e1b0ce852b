/// A window on an input's bytes that slides forwards and holds as many as are requested at once.
struct InputWindow {
    let input: OpenInput
    /// The offset of the window's first byte in the input.
    private(set) var offset = 0
    private var buffer: [UInt8]
    private var start = 0
    private var end = 0

    init(_ input: OpenInput) {
        self.input = input
        buffer = [UInt8](repeating: 0, count: 1 << 18)
    }

    /// The number of bytes in the window.
    var available: Int { end - start }

    /// Reads until the window has `count` bytes; false if the input ends before.
    ///
    /// The buffer grows only as bytes arrive, so a false length takes no memory.
    mutating func fill(_ count: Int) throws(InputError) -> Bool {
        while available < count {
            if start > 0 { moveToFront() }
            if end == buffer.count {
                buffer.append(contentsOf: repeatElement(0, count: buffer.count))
            }
            let more = try input.fill(&buffer, from: end)
            if more == 0 { return false }
            end += more
        }
        return true
    }

    /// The first `count` bytes in the window.
    @_lifetime(borrow self)
    func bytes(_ count: Int) -> Span<UInt8> { buffer.span.extracting(start..<start + count) }

    /// Skips `count` bytes, in the window or not; false if the input ends before.
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
