import Basics

/// Writes messages in the encoding of Protocol Buffers.
struct MessageWriter {
    private(set) var bytes: [UInt8] = []

    mutating func varint(_ value: UInt64) { Varint.append(value, to: &bytes) }

    mutating func field(_ number: UInt64, _ value: UInt64) {
        varint(number << 3)
        varint(value)
    }

    mutating func field(_ number: UInt64, bytes contents: [UInt8]) {
        varint(number << 3 | 2)
        varint(UInt64(contents.count))
        bytes += contents
    }

    /// Writes a packed list; an empty one is left out.
    mutating func list(_ number: UInt64, _ values: some Collection<UInt64>) {
        guard !values.isEmpty else { return }
        var list = MessageWriter()
        for value in values { list.varint(value) }
        field(number, bytes: list.bytes)
    }

    /// Writes a packed list of signed numbers.
    mutating func list(_ number: UInt64, signed values: some Collection<Int64>) {
        list(number, values.lazy.map { Varint.zigzag($0) })
    }
}
