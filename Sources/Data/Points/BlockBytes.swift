import Basics

/// Writes numbers, texts and whole columns one after another, in their memory layout.
///
/// The layout is little-endian on every machine that Covey is built for.
public struct BlockSink {
    public private(set) var bytes: [UInt8] = []

    public init() {}

    public mutating func write(_ number: Int) {
        unsafe withUnsafeBytes(of: Int64(number).littleEndian) { unsafe bytes += $0 }
    }

    public mutating func write(_ number: UInt64) { write(Int(bitPattern: UInt(number))) }

    public mutating func write(_ number: Double) { write(number.bitPattern) }

    public mutating func write(byte: UInt8) { bytes.append(byte) }

    /// Writes a number that is usually small.
    public mutating func write(varint number: Int) {
        Varint.append(UInt64(number), to: &bytes)
    }

    public mutating func write(_ text: String) { write(Array(text.utf8)) }

    public mutating func write(_ more: [UInt8]) {
        write(more.count)
        bytes += more
    }

    /// Writes bytes whose format includes their end.
    public mutating func append(_ more: [UInt8]) { bytes += more }

    /// Writes the number of values, and each value by `body`.
    public mutating func write<Value>(
        _ values: [Value], _ body: (inout BlockSink, Value) -> Void
    ) {
        write(varint: values.count)
        for value in values { body(&self, value) }
    }

    public mutating func write<Element: BitwiseCopyable & Sendable>(_ column: Column<Element>) {
        write(column.span)
    }

    /// Writes numbers in 32 bits each if all of them fit, else in 64.
    public mutating func write(counts: Column<Int>) {
        let numbers = counts.span
        var bits = 0
        for index in numbers.indices { bits |= numbers[index] }
        let isNarrow = bits >> 32 == 0
        write(byte: isNarrow ? 0 : 1)
        guard isNarrow else { return write(counts) }
        // Every number is set by the loop that follows.
        var narrow = unsafe Column<UInt32>(uninitialized: counts.count)
        var target = narrow.mutableSpan
        for index in numbers.indices {
            target[index] = UInt32(truncatingIfNeeded: numbers[index])
        }
        write(narrow)
    }

    public mutating func write<Element: BitwiseCopyable>(_ elements: Span<Element>) {
        write(elements.count)
        unsafe elements.withUnsafeBytes { unsafe bytes += $0 }
    }
}

/// Reads the output of a `BlockSink`. It never reads past the end, even if the bytes are damaged.
public struct BlockSource {
    private let bytes: [UInt8]
    private var offset = 0

    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Numbers of points are less.
    public static let countLimit = 1 << 48

    public struct Damaged: Error {
        public init() {}
    }

    public mutating func int() throws(Damaged) -> Int {
        guard bytes.count - offset >= 8 else { throw Damaged() }
        let start = offset
        offset += 8
        return unsafe bytes.withUnsafeBytes {
            unsafe Int(Int64(littleEndian: $0.loadUnaligned(fromByteOffset: start, as: Int64.self)))
        }
    }

    public mutating func unsigned() throws(Damaged) -> UInt64 {
        UInt64(bitPattern: Int64(try int()))
    }

    public mutating func double() throws(Damaged) -> Double { Double(bitPattern: try unsigned()) }

    public mutating func text() throws(Damaged) -> String {
        guard let text = String(validating: try raw(), as: UTF8.self) else { throw Damaged() }
        return text
    }

    public mutating func raw() throws(Damaged) -> [UInt8] {
        let count = try size(of: UInt8.self)
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    public mutating func column<Element: BitwiseCopyable & Sendable>(
        of type: Element.Type = Element.self
    ) throws(Damaged) -> Column<Element> {
        let count = try size(of: type)
        let byteCount = count * MemoryLayout<Element>.stride
        // The copy below sets every byte.
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

    /// Reads numbers of points, which are at least 0 and less than what an archive may have.
    public mutating func counts() throws(Damaged) -> Column<Int> {
        guard try byte() == 0 else {
            let counts: Column<Int> = try column()
            for index in 0..<counts.count {
                guard (0..<Self.countLimit).contains(counts[index]) else { throw Damaged() }
            }
            return counts
        }
        let narrow: Column<UInt32> = try column()
        let numbers = narrow.span
        // Every number is set by the loop that follows.
        var counts = unsafe Column<Int>(uninitialized: narrow.count)
        var target = counts.mutableSpan
        for index in numbers.indices { target[index] = Int(numbers[index]) }
        return counts
    }

    public mutating func byte() throws(Damaged) -> UInt8 {
        guard offset < bytes.count else { throw Damaged() }
        defer { offset += 1 }
        return bytes[offset]
    }

    public mutating func varint() throws(Damaged) -> Int {
        var next = offset
        guard let value = Varint.read(bytes.span, &next, end: bytes.count),
            let number = Int(exactly: value)
        else { throw Damaged() }
        offset = next
        return number
    }

    /// Reads an array of values, each of which takes at least one byte.
    public mutating func array<Value>(
        _ value: (inout BlockSource) throws(Damaged) -> Value
    ) throws(Damaged) -> [Value] {
        let count = try varint()
        guard count <= bytes.count - offset else { throw Damaged() }
        var values: [Value] = []
        for _ in 0..<count { values.append(try value(&self)) }
        return values
    }

    /// A count of elements, checked against the bytes that follow.
    private mutating func size<Element>(of type: Element.Type) throws(Damaged) -> Int {
        let count = try int()
        let left = bytes.count - offset
        guard count >= 0, count <= left / MemoryLayout<Element>.stride else { throw Damaged() }
        return count
    }
}
