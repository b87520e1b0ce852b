import Points

/// Consecutive bytes in a file of a job, in blocks of one size, so that any stretch is found
/// without an index, and can be checked.
struct JobStream: Equatable, Sendable {
    /// Where the first block begins.
    var start: Int
    /// The number of bytes.
    var count: Int

    static let blockSize = 1 << 15
    /// The bytes before each block.
    private static let headSize = 16
    /// The most bytes that are read at once.
    private static let mostAtOnce = 1 << 22

    /// The range of the file that holds a stretch, with the sums to check it.
    func place(of range: Range<Int>) -> Range<Int> {
        guard !range.isEmpty else { return start..<start }
        let first = range.lowerBound / Self.blockSize
        let last = (range.upperBound - 1) / Self.blockSize
        let end = min((last + 1) * Self.blockSize, count) - last * Self.blockSize
        let step = Self.blockSize + Self.headSize
        return start + first * step..<start + last * step + Self.headSize + end
    }

    /// The blocks that hold a stretch, without their heads.
    /// - Returns: the bytes from `first` on, where the first of these blocks begins.
    private func blocks(
        with range: Range<Int>, in reader: JobFileReader
    ) throws(JobError) -> (first: Int, bytes: [UInt8]) {
        var bytes = try reader.bytes(place(of: range))
        let first = range.lowerBound / Self.blockSize * Self.blockSize
        // The blocks are moved together, over the heads between them.
        var (offset, end) = (0, 0)
        while first + end < range.upperBound {
            let size = min(Self.blockSize, count - first - end)
            guard bytes.count - offset >= Self.headSize + size else {
                throw .damaged(path: reader.path)
            }
            var head = BlockSource(Array(bytes[offset..<offset + Self.headSize]))
            let block = offset + Self.headSize..<offset + Self.headSize + size
            guard let length = try? head.int(), let sum = try? head.unsigned(), length == size,
                ByteSum.of(bytes.span.extracting(block)) == sum
            else { throw .damaged(path: reader.path) }
            unsafe bytes.withUnsafeMutableBytes { all in
                unsafe UnsafeMutableRawBufferPointer(rebasing: all[end...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: all[block]))
            }
            (offset, end) = (block.upperBound, end + size)
        }
        bytes.removeSubrange(end...)
        return (first, bytes)
    }

    func bytes(_ range: Range<Int>, in reader: JobFileReader) throws(JobError) -> ArraySlice<UInt8>
    {
        guard !range.isEmpty else { return [] }
        let (first, bytes) = try blocks(with: range, in: reader)
        return bytes[range.lowerBound - first..<range.upperBound - first]
    }

    /// A stretch in portions, each of which can be read at once.
    static func portions(of range: Range<Int>) -> [Range<Int>] {
        var portions: [Range<Int>] = []
        var next = range.lowerBound
        while next < range.upperBound {
            let end = min((next / mostAtOnce + 1) * mostAtOnce, range.upperBound)
            portions.append(next..<end)
            next = end
        }
        return portions
    }
}

/// Writes a stream into a file of a job.
struct JobStreamWriter {
    private let start: Int
    private var count = 0
    private var waiting: [UInt8] = []

    /// Begins a stream after all that the file has.
    init(in writer: borrowing JobFileWriter) { start = writer.size }

    mutating func append(
        _ bytes: Span<UInt8>, to writer: inout JobFileWriter
    ) throws(JobError) {
        count += bytes.count
        var next = 0
        while waiting.count + bytes.count - next >= JobStream.blockSize {
            let rest = next..<next + JobStream.blockSize - waiting.count
            next = rest.upperBound
            if waiting.isEmpty {
                try writer.append(bytes.extracting(rest))
            } else {
                wait(for: bytes.extracting(rest))
                try writer.append(waiting)
                waiting.removeAll(keepingCapacity: true)
            }
        }
        wait(for: bytes.extracting(next...))
    }

    private mutating func wait(for bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe waiting.append(contentsOf: $0) }
    }

    /// Writes the rest.
    mutating func finish(_ writer: inout JobFileWriter) throws(JobError) -> JobStream {
        if !waiting.isEmpty { try writer.append(waiting) }
        waiting = []
        return JobStream(start: start, count: count)
    }
}

extension JobStream: BlockRecord {
    static var layout: BlockLayout<Self> {
        .init(Self.init, \.start, \.count) {
            [$0.start, $0.count].allSatisfy((0..<1 << 60).contains)
        }
    }
}
