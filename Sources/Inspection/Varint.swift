/// Integers as protocol buffers write them.
enum Varint {
    /// How many bytes a number that is not negative takes.
    @inline(__always)
    static func size(of value: Int) -> Int {
        (70 - (value | 1).leadingZeroBitCount) / 7
    }
}
