/// Writes codes of a few bits each, one after another, starting at the lowest bit of a byte (RFC 1951, 3.1.1).
///
/// It writes whole words, so there must be room for one more after the end.
@unsafe
struct BitWriter {
    private var next: UnsafeMutablePointer<UInt8>
    private var bits: UInt64 = 0
    private var count: UInt64 = 0

    init(_ start: UnsafeMutablePointer<UInt8>) { unsafe next = start }

    /// Adds a code in the form of `FixedCodes`. At most two codes of 24 bits fit before a flush.
    @inline(__always)
    mutating func put(_ code: UInt32) {
        unsafe bits |= UInt64(code & 0xFF_FFFF) &<< count
        unsafe count &+= UInt64(code &>> 24)
    }

    /// Writes the whole bytes.
    @inline(__always)
    mutating func flush() {
        unsafe UnsafeMutableRawPointer(next).storeBytes(
            of: bits.littleEndian, as: UInt64.self)
        unsafe next += Int(count &>> 3)
        unsafe bits &>>= count & ~7
        unsafe count &= 7
    }

    /// Writes everything, and returns the address after the last byte.
    mutating func finish() -> UnsafeMutablePointer<UInt8> {
        unsafe flush()
        return unsafe count > 0 ? next + 1 : next
    }
}
