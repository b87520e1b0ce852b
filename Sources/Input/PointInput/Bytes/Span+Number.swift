extension Span<UInt8> {
    /// A little-endian number of `size` bytes; `Int.max` if it cannot be an offset in a file.
    func number(_ offset: Int, _ size: Int) -> Int {
        let value = (0..<size).reduce(UInt64(0)) {
            $0 | UInt64(self[offset + $1]) << (8 * UInt64($1))
        }
        return Int(clamping: value)
    }
}
