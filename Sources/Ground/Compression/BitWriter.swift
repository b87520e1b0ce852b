/// Puts codes of some bits one behind another, from the least bit of a byte on (RFC 1951, 3.1.1).
///
/// It writes whole words: behind the end there must be room for one.
@unsafe
struct BitWriter {
    private var next: UnsafeMutablePointer<UInt8>
    private var bits: UInt64 = 0
    private var count: UInt64 = 0

    init(_ start: UnsafeMutablePointer<UInt8>) { unsafe next = start }

    /// Adds a code as `FixedCodes` have them. Of two dozen bits two fit before they must be flushed.
    @inline(__always)
    mutating func put(_ code: UInt32) {
        unsafe bits |= UInt64(code & 0xFF_FFFF) &<< count
        unsafe count &+= UInt64(code &>> 24)
    }

    /// Writes the bytes that are whole.
    @inline(__always)
    mutating func flush() {
        unsafe UnsafeMutableRawPointer(next).storeBytes(
            of: bits.littleEndian, as: UInt64.self)
        unsafe next += Int(count &>> 3)
        unsafe bits &>>= count & ~7
        unsafe count &= 7
    }

    /// Writes all of it, and gives the place behind the last byte.
    mutating func finish() -> UnsafeMutablePointer<UInt8> {
        unsafe flush()
        return unsafe count > 0 ? next + 1 : next
    }
}
