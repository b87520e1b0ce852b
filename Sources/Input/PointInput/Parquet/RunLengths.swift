import Basics

/// Small numbers in Parquet's hybrid of runs and bit-packing: levels, and dictionary indexes.
///
/// Only the starts of runs are kept, and values are expanded when needed: a run of a billion takes
/// two bytes in a file, and should take no more here.
struct RunLengths: Sendable {
    private struct Run {
        /// The position of its first value.
        var start: Int
        var end: Int
        /// The offset of its packed bits; nil for a run of one value.
        var offset: Int?
        var value: UInt32 = 0
    }
    private let bytes: [UInt8]
    private let width: Int
    private var runs: [Run] = []

    /// Packed bits are divided into runs of this length, so that a value in the middle is found at once.
    private static let longestPacked = 1 << 12

    /// Finds the starts of runs, until there are `count` values.
    init(
        _ bytes: [UInt8], _ range: Range<Int>, width: Int, count: Int
    ) throws(ParquetFault) {
        guard width <= 32 else { throw .badPage("numbers of \(width) bits") }
        self.bytes = bytes
        self.width = width
        var offset = range.lowerBound
        var start = 0
        while start < count {
            let head = try Self.varint(bytes.span, &offset, range.upperBound)
            let left = UInt64(count - start)
            if head & 1 == 0 {
                let end = start + Int(min(head >> 1, left))
                let value = try Self.value(bytes.span, &offset, range.upperBound, width)
                if end > start { runs.append(Run(start: start, end: end, value: value)) }
                start = end
            } else {
                guard head >> 1 < 1 << 40 else { throw .badPage("a run is too long") }
                let end = start + Int(min(8 * (head >> 1), left))
                let size = Int(head >> 1) * width
                guard ((end - start) * width + 7) / 8 <= range.upperBound - offset else {
                    throw .outOfBounds("a run of packed numbers")
                }
                addPacked(start..<end, at: offset)
                offset = min(offset + size, range.upperBound)
                start = end
            }
        }
    }

    private mutating func addPacked(_ values: Range<Int>, at offset: Int) {
        var start = values.lowerBound
        var offset = offset
        while start < values.upperBound {
            let end = min(values.upperBound, start + Self.longestPacked)
            runs.append(Run(start: start, end: end, offset: offset))
            offset += Self.longestPacked / 8 * width
            start = end
        }
    }

    /// Appends the values of a range, all of which must exist.
    func expand(_ range: Range<Int>, into values: inout [UInt32]) {
        var index = run(of: range.lowerBound)
        var position = range.lowerBound
        while position < range.upperBound {
            let run = runs[index]
            let count = min(range.upperBound, run.end) - position
            if let offset = run.offset {
                unpack(8 * offset + (position - run.start) * width, count, into: &values)
            } else {
                values.append(contentsOf: repeatElement(run.value, count: count))
            }
            position += count
            index += 1
        }
    }

    private func unpack(_ start: Int, _ count: Int, into values: inout [UInt32]) {
        let mask = UInt64(1) << UInt64(width) - 1
        let bytes = unsafe bytes.span.bytes
        // The last numbers are less than a whole word from the end.
        let safe = 8 * (bytes.byteCount - 8)
        let width = width
        values.append(addingCapacity: count) { values in
            var bit = start
            for _ in 0..<count {
                let word =
                    bit <= safe
                    ? unsafe bytes.unsafeLoadUnaligned(fromByteOffset: bit >> 3, as: UInt64.self)
                    : Self.lastWord(bytes, bit >> 3)
                values.append(
                    UInt32(truncatingIfNeeded: word.littleEndian >> UInt64(bit & 7) & mask))
                bit += width
            }
        }
    }

    private static func lastWord(_ bytes: RawSpan, _ offset: Int) -> UInt64 {
        var word: UInt64 = 0
        for index in 0..<min(8, bytes.byteCount - offset) {
            let byte = unsafe bytes.unsafeLoad(fromByteOffset: offset + index, as: UInt8.self)
            word |= UInt64(byte) << UInt64(8 * index)
        }
        return UInt64(littleEndian: word)
    }

    /// The run that contains a value.
    private func run(of position: Int) -> Int {
        runs.indices.dropLast().partitionPoint { runs[$0].end > position }
    }

    private static func value(
        _ bytes: Span<UInt8>, _ offset: inout Int, _ end: Int, _ width: Int
    ) throws(ParquetFault) -> UInt32 {
        let size = (width + 7) / 8
        guard size <= end - offset else { throw .outOfBounds("a run's value") }
        defer { offset += size }
        return UInt32(bytes.number(offset, size))
    }

    static func varint(
        _ bytes: Span<UInt8>, _ offset: inout Int, _ end: Int
    ) throws(ParquetFault) -> UInt64 {
        guard let value = Varint.read(bytes, &offset, end: end) else {
            throw .outOfBounds("a length")
        }
        return value
    }
}

/// The levels of a page's optional column, which tell which values are present.
struct ValueLevels: Sendable {
    private let runs: RunLengths
    private let highest: UInt32
    /// The number of present values before each stretch of `step` rows.
    private var ranks: [Int] = [0]
    private let count: Int

    private static let step = 1 << 12

    init(
        _ bytes: [UInt8], _ range: Range<Int>, highest: Int, count: Int
    ) throws(ParquetFault) {
        runs = try RunLengths(
            bytes, range, width: Int.bitWidth - highest.leadingZeroBitCount, count: count)
        self.highest = UInt32(highest)
        self.count = count
        var levels: [UInt32] = []
        for start in stride(from: 0, to: count, by: Self.step) {
            ranks.append(ranks[ranks.count - 1] + present(start..<start + Self.step, &levels))
        }
    }

    /// The number of present values in the page.
    var presentCount: Int { ranks[ranks.count - 1] }

    /// The number of present values before a row.
    func rank(_ row: Int, _ levels: inout [UInt32]) -> Int {
        let step = row / Self.step
        return ranks[step] + present(step * Self.step..<row, &levels)
    }

    private func present(_ rows: Range<Int>, _ levels: inout [UInt32]) -> Int {
        levels.removeAll(keepingCapacity: true)
        runs.expand(rows.clamped(to: 0..<count), into: &levels)
        return levels.reduce(0) { $0 + ($1 == highest ? 1 : 0) }
    }

    /// Appends for each row of a range the number of its value, starting at `first`, or `noValue`
    /// if there is none.
    func append(
        _ rows: Range<Int>, from first: Int, to numbers: inout [UInt32], _ levels: inout [UInt32]
    ) {
        levels.removeAll(keepingCapacity: true)
        runs.expand(rows, into: &levels)
        var next = UInt32(truncatingIfNeeded: first)
        for level in levels {
            let isPresent = level == highest
            numbers.append(isPresent ? next : StripBytes.noValue)
            next &+= isPresent ? 1 : 0
        }
    }
}
