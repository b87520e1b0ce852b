import Points

/// Writes numbers, texts and columns one behind the other, little-endian.
struct ByteSink {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ number: Int) { PackedBytes.append(varint: UInt64(number), to: &bytes) }

    mutating func write(_ number: Double) { write(fixed: number.bitPattern) }

    mutating func write(fixed bits: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: bits >> shift))
        }
    }

    mutating func write(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    mutating func write(_ text: String) { write(Array(text.utf8)) }

    mutating func write(_ more: [UInt8]) {
        write(more.count)
        bytes += more
    }

    mutating func write<Value>(_ values: [Value], _ body: (inout ByteSink, Value) -> Void) {
        write(values.count)
        for value in values { body(&self, value) }
    }

    mutating func write(_ column: Column<UInt32>) {
        write(column.count)
        for index in 0..<column.count { write(Int(column[index])) }
    }

    /// Zooms, of which −1 is one.
    mutating func write(_ column: Column<Int8>) {
        write(column.count)
        for index in 0..<column.count { bytes.append(UInt8(bitPattern: column[index])) }
    }

    mutating func write(_ column: Column<Double>) {
        write(column.count)
        for index in 0..<column.count { write(column[index]) }
    }
}
