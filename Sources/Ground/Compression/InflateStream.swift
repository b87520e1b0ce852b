import CZlib

/// Inflates a stream of any length piece by piece.
@safe
public struct InflateStream: ~Copyable {
    /// The format around the deflate stream.
    public enum Format: Sendable {
        /// RFC 1952, any number of members, zero bytes after the last one.
        case gzip
        /// RFC 1951, as inside a ZIP file.
        case raw
    }

    private enum State { case between, inside, ended }

    // On the heap because zlib keeps the address of its stream.
    private let stream: UnsafeMutablePointer<z_stream>
    private let format: Format
    private var state = State.between
    private var hasBegun = false
    /// How many compressed bytes have been used up.
    public private(set) var offset = 0

    public init(format: Format) {
        self.format = format
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let windowBits = format == .gzip ? MAX_WBITS + 16 : -MAX_WBITS
        let code = unsafe inflateInit2_(
            stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(code == Z_OK, "zlib cannot begin")
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Inflates until the input is used up, the output is full or the stream has ended.
    ///
    /// Returns how many bytes of the input were used up.
    public mutating func unpack(
        _ input: Span<UInt8>, into output: inout OutputSpan<UInt8>
    ) throws(CompressionError) -> Int {
        let start = offset
        while state != .ended {
            if state == .between {
                try beginMember(input.extracting((offset - start)...))
                if state == .between { break }
            }
            guard try advance(input.extracting((offset - start)...), &output) else { break }
        }
        return offset - start
    }

    /// Inflates until the input is used up, `room` bytes were appended or the stream has ended.
    ///
    /// Returns how many bytes of the input were used up.
    public mutating func inflate(
        _ input: Span<UInt8>, appendingTo output: inout [UInt8], atMost room: Int
    ) throws(CompressionError) -> Int {
        var consumed = 0
        try output.append(addingCapacity: room) { free throws(CompressionError) in
            consumed = try unpack(input, into: &free)
        }
        return consumed
    }

    /// Checks that the stream is complete; call it after the last input.
    public mutating func finish() throws(CompressionError) {
        if state == .inside || !hasBegun { throw .truncated(offset: offset) }
    }

    /// Skips the padding after a gzip member, and begins the next one if there is one.
    private mutating func beginMember(_ input: Span<UInt8>) throws(CompressionError) {
        var skipped = 0
        while hasBegun, skipped < input.count, input[skipped] == 0 { skipped += 1 }
        offset += skipped
        guard skipped < input.count else { return }
        guard !hasBegun || input[skipped] == 0x1F else { throw .trailingBytes(offset: offset) }
        hasBegun = true
        state = .inside
        unsafe inflateReset(stream)
    }

    /// Calls zlib once; false when zlib can do no more with its input and output.
    private mutating func advance(
        _ input: Span<UInt8>, _ output: inout OutputSpan<UInt8>
    ) throws(CompressionError) -> Bool {
        // Zlib counts in 32 bits; longer spans take several calls.
        let available = min(input.count, Int(Int32.max))
        let room = min(output.freeCapacity, Int(Int32.max))
        let code = unsafe input.withUnsafeBufferPointer { source in
            unsafe output.withUnsafeMutableBufferPointer { target, filled in
                unsafe stream.pointee.next_in = UnsafeMutablePointer(
                    mutating: source.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(available)
                unsafe stream.pointee.next_out = target.baseAddress?.advanced(by: filled)
                unsafe stream.pointee.avail_out = UInt32(room)
                let code = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
                filled += room - Int(unsafe stream.pointee.avail_out)
                return code
            }
        }
        let consumed = available - Int(unsafe stream.pointee.avail_in)
        offset += consumed
        let produced = room - Int(unsafe stream.pointee.avail_out)
        return try goesOn(after: code, moved: consumed + produced > 0)
    }

    private mutating func goesOn(
        after code: Int32, moved: Bool
    ) throws(CompressionError) -> Bool {
        switch code {
        case Z_OK: return moved
        case Z_BUF_ERROR: return false
        case Z_STREAM_END:
            state = format == .gzip ? .between : .ended
            return true
        default:
            let reason = unsafe stream.pointee.msg.map { unsafe String(cString: $0) }
            throw .corrupt(offset: offset, reason: reason ?? "zlib error \(code)")
        }
    }
}

extension InflateStream {
    /// The whole contents of `bytes`. The buffer grows as they arrive, so that a false size costs nothing.
    public static func inflate(
        _ bytes: Span<UInt8>, format: Format, limit: Int
    ) throws(CompressionError) -> [UInt8] {
        var stream = InflateStream(format: format)
        var output: [UInt8] = []
        var consumed = 0
        while true {
            let filled = output.count
            // One byte past the limit distinguishes a stream that ends there from one that continues.
            let room = min(max(4_096, filled, 4 * bytes.count), limit + 1 - filled)
            consumed += try stream.inflate(
                bytes.extracting(consumed...), appendingTo: &output, atMost: room)
            if output.count > limit { throw .tooLarge(limit: limit) }
            if output.count < filled + room { break }
        }
        try stream.finish()
        guard consumed == bytes.count else { throw .trailingBytes(offset: consumed) }
        return output
    }
}
