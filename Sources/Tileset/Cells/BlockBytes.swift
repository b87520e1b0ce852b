import Points

/// Puts numbers, texts and whole columns one behind another, as they lie in memory.
///
/// That is little-endian on every machine that there is a build for.
struct BlockSink {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ number: Int) {
        unsafe withUnsafeBytes(of: Int64(number).littleEndian) { unsafe bytes += $0 }
    }

    mutating func write(_ number: UInt64) { write(Int(bitPattern: UInt(number))) }

    mutating func write(_ number: Double) { write(number.bitPattern) }

    mutating func write(_ text: String) { write(Array(text.utf8)) }

    mutating func write(_ more: [UInt8]) {
        write(more.count)
        bytes += more
    }

    mutating func write<Element: BitwiseCopyable & Sendable>(_ column: Column<Element>) {
        write(column.span)
    }

    mutating func write<Element: BitwiseCopyable>(_ elements: Span<Element>) {
        write(elements.count)
        unsafe elements.withUnsafeBytes { unsafe bytes += $0 }
    }
}

/// Reads what a `BlockSink` wrote. Nothing is read past the end, whatever the bytes say.
struct BlockSource {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    struct Damaged: Error {}

    mutating func int() throws(Damaged) -> Int {
        guard bytes.count - offset >= 8 else { throw Damaged() }
        let start = offset
        offset += 8
        return unsafe bytes.withUnsafeBytes {
            unsafe Int(Int64(littleEndian: $0.loadUnaligned(fromByteOffset: start, as: Int64.self)))
        }
    }

    mutating func unsigned() throws(Damaged) -> UInt64 { UInt64(bitPattern: Int64(try int())) }

    mutating func double() throws(Damaged) -> Double { Double(bitPattern: try unsigned()) }

    mutating func text() throws(Damaged) -> String {
        guard let text = String(validating: try raw(), as: UTF8.self) else { throw Damaged() }
        return text
    }

    mutating func raw() throws(Damaged) -> [UInt8] {
        let count = try size(of: UInt8.self)
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    mutating func column<Element: BitwiseCopyable & Sendable>(
        of type: Element.Type = Element.self
    ) throws(Damaged) -> Column<Element> {
        let count = try size(of: type)
        let byteCount = count * MemoryLayout<Element>.stride
        // Every byte is set by the copy that follows.
        var column = unsafe Column<Element>(uninitialized: count)
        var target = column.mutableSpan
        unsafe target.withUnsafeMutableBytes { target in
            unsafe bytes.withUnsafeBytes { source in
                unsafe target.copyMemory(
                    from: UnsafeRawBufferPointer(
                        rebasing: source[offset..<offset + byteCount]))
            }
        }
        offset += byteCount
        return column
    }

    /// A count of elements that the bytes that follow do hold.
    private mutating func size<Element>(of type: Element.Type) throws(Damaged) -> Int {
        let count = try int()
        let left = bytes.count - offset
        guard count >= 0, count <= left / MemoryLayout<Element>.stride else { throw Damaged() }
        return count
    }
}

/// A sum over bytes that any change of them changes, but for one in 2^64.
enum ByteSum {
    static func of(_ bytes: Span<UInt8>) -> UInt64 {
        unsafe bytes.withUnsafeBytes { bytes in
            var sum: UInt64 = 0x9E37_79B9_7F4A_7C15 ^ UInt64(bytes.count)
            var offset = 0
            while offset + 8 <= bytes.count {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                sum = (sum ^ word) &* 0xD6E8_FEB8_6659_FD93
                sum ^= sum >> 32
                offset += 8
            }
            while offset < bytes.count {
                sum = (sum ^ UInt64(unsafe bytes[offset])) &* 0x100_0000_01B3
                offset += 1
            }
            return sum ^ (sum >> 29)
        }
    }
}
