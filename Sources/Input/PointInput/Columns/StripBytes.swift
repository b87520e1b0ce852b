import Compression
import Points

/// The values of a range of rows, column after column.
struct StripBytes: ~Copyable {
    private(set) var bytes: [UInt8] = []
    private(set) var columns: [ColumnBatch.Column] = []
    private(set) var rowCount = 0
    var decompressor = BlockDecompressor()
    var levels: [UInt32] = []
    /// The number of each row's value in a part, or `noValue`.
    var numbers: [UInt32] = []
    static let noValue = UInt32.max

    /// The limit of the bytes of a column's texts in one strip.
    static let textLimit = 1 << 30

    /// The place of a column's values while they are written.
    struct Target {
        var column = ColumnBatch.Column()
        /// The size of a value, if it is fixed.
        var size = 0
        /// The number of rows written.
        var row = 0
        var hasNulls = false
        var isText = false
    }

    /// Starts again, after existing bytes if there are any.
    mutating func begin(rowCount: Int, behind bytes: [UInt8]? = nil) {
        if let bytes { self.bytes = bytes } else { self.bytes.removeAll(keepingCapacity: true) }
        columns.removeAll(keepingCapacity: true)
        self.rowCount = rowCount
    }

    /// Makes room for all values except texts, which grow.
    mutating func beginColumn(of kind: ColumnKind) -> Target {
        var target = Target()
        // All rows have a value until one is found that has none.
        target.column.validity = room((rowCount + 7) / 8, of: 0xFF)
        switch kind {
        case .text, .binary:
            target.column.offsets = room(4 * (rowCount + 1))
            target.column.values = bytes.count..<bytes.count
            target.isText = true
        case .bool: target.column.values = room((rowCount + 7) / 8)
        default:
            target.size = kind.size ?? 0
            target.column.values = room(rowCount * target.size)
        }
        return target
    }

    mutating func endColumn(_ target: Target) {
        var column = target.column
        if target.isText { column.values = column.values.lowerBound..<bytes.count }
        if !target.hasNulls { column.validity = nil }
        columns.append(column)
    }

    mutating func append(_ column: ColumnBatch.Column) { columns.append(column) }

    /// Appends bytes and returns their range.
    mutating func append(_ more: some Collection<UInt8>) -> Range<Int> {
        let start = bytes.count
        bytes += more
        return start..<bytes.count
    }

    mutating func room(_ count: Int, of byte: UInt8 = 0) -> Range<Int> {
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(byte, count: count))
        return start..<bytes.count
    }

    mutating func clearValidity(of target: inout Target) {
        guard let validity = target.column.validity else { return }
        for index in numbers.indices where numbers[index] == Self.noValue {
            let row = target.row + index
            bytes[validity.lowerBound + row / 8] &= ~(1 << UInt8(row % 8))
            target.hasNulls = true
        }
    }
}

extension StripBytes {
    /// Copies contiguous values without gaps.
    mutating func copy(_ source: [UInt8], _ range: Range<Int>, to target: Target) {
        let start = target.column.values.lowerBound + target.row * target.size
        precondition(range.upperBound <= source.count && start + range.count <= bytes.count)
        unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe source.withUnsafeBytes { source in
                unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start...]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: source[range]))
            }
        }
    }

    /// Copies the values with these numbers to their rows.
    mutating func gather(
        _ values: ColumnValues, to target: Target
    ) throws(ColumnFault) {
        switch values.layout {
        case .fixed(let start, 8): gather(UInt64.self, values.bytes, start, to: target)
        case .fixed(let start, 4): gather(UInt32.self, values.bytes, start, to: target)
        case .fixed(let start, let size):
            for (row, number) in numbers.enumerated() where number != Self.noValue {
                let (from, to) = (start + Int(number) * size, (target.row + row) * size)
                for index in 0..<size {
                    bytes[target.column.values.lowerBound + to + index] = values.bytes[from + index]
                }
            }
        case .bits(let start):
            gatherBits(to: target) {
                values.bytes[start + Int($0) / 8] >> UInt8($0 % 8) & 1 == 1
            }
        case .texts(let starts, let gap):
            try gatherTexts(values.bytes, starts, gap, to: target)
        case .even(let start, let size):
            let starts = (0...values.count).map { UInt32(start + 4 + $0 * (size + 4)) }
            try gatherTexts(values.bytes, starts, 4, to: target)
        case .truths, .indexes: throw .noDictionary
        }
    }

    private mutating func gather<Word: FixedWidthInteger & BitwiseCopyable>(
        _: Word.Type, _ source: [UInt8], _ start: Int, to target: Target
    ) {
        let size = MemoryLayout<Word>.size
        let source = unsafe source.span.bytes
        let numbers = numbers
        let first = target.column.values.lowerBound + target.row * size
        var span = bytes.mutableSpan
        var room = unsafe span.mutableBytes
        for row in numbers.indices where numbers[row] != Self.noValue {
            let word = unsafe source.unsafeLoadUnaligned(
                fromByteOffset: start + Int(numbers[row]) * size, as: Word.self)
            room.storeBytes(of: word, toByteOffset: first + row * size, as: Word.self)
        }
    }

    mutating func gatherBits(to target: Target, _ isTrue: (UInt32) -> Bool) {
        for (index, number) in numbers.enumerated() where number != Self.noValue && isTrue(number) {
            let row = target.row + index
            bytes[target.column.values.lowerBound + row / 8] |= 1 << UInt8(row % 8)
        }
    }

    private mutating func gatherTexts(
        _ source: [UInt8], _ starts: [UInt32], _ gap: Int, to target: Target
    ) throws(ColumnFault) {
        let start = target.column.values.lowerBound
        let texts = starts.span
        var total = bytes.count - start
        for number in numbers where number != Self.noValue {
            total += ColumnValues.text(Int(number), texts, gap).count
        }
        guard total <= Self.textLimit else {
            throw .textsTooLarge(rows: rowCount, bytes: total)
        }
        var next = bytes.count
        _ = room(total - (next - start))
        let numbers = numbers
        unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe source.withUnsafeBytes { source in
                for row in numbers.indices {
                    let number = Int(numbers[row])
                    if numbers[row] != Self.noValue, texts[number] < texts[number + 1] {
                        let text = ColumnValues.text(number, texts, gap)
                        // It is within the page, as its starts were checked, and within the room, because of the total.
                        unsafe Self.copy(text, of: source, to: bytes, at: next)
                        next += text.count
                    }
                    unsafe bytes.storeBytes(
                        of: Int32(truncatingIfNeeded: next - start).littleEndian,
                        toByteOffset: target.column.offsets.lowerBound
                            + 4 * (target.row + row + 1), as: Int32.self)
                }
            }
        }
    }

    /// Copies a text, in whole words if it is short and both sides have bytes after it: that is
    /// faster than a call. The excess bytes are overwritten by the next text.
    @inline(__always)
    private static func copy(
        _ text: Range<Int>, of source: UnsafeRawBufferPointer,
        to target: UnsafeMutableRawBufferPointer, at start: Int
    ) {
        guard text.count <= 32, text.upperBound + 8 <= source.count,
            start + text.count + 8 <= target.count
        else {
            unsafe (target.baseAddress! + start).copyMemory(
                from: source.baseAddress! + text.lowerBound, byteCount: text.count)
            return
        }
        var offset = 0
        while offset < text.count {
            let word = unsafe source.loadUnaligned(
                fromByteOffset: text.lowerBound + offset, as: UInt64.self)
            unsafe target.storeBytes(of: word, toByteOffset: start + offset, as: UInt64.self)
            offset += 8
        }
    }
}
