import Points

/// Reads one file of a job, block by block. It holds no descriptor, so there may be thousands.
struct JobFileReader {
    let path: String
    /// Where the next block begins.
    private(set) var position = JobFile.headSize
    private let folder: JobFolder
    /// The file's first bytes, which are read at once: most readers need no more.
    private let start: [UInt8]
    private let size: Int
    private var blocks = 0
    private var isAtEnd = false

    init(
        _ path: String, in folder: JobFolder, job: String, version: UInt32 = JobFile.version
    ) throws(JobError) {
        self.path = path
        self.folder = folder
        (start, size) = try folder.start(of: path)
        let head = Array(start.prefix(JobFile.headSize))
        guard head.count == JobFile.headSize, head.starts(with: JobFile.mark) else {
            throw .damaged(path: path)
        }
        guard head == JobFile.head(version) else { throw .otherVersion(path: path) }
        guard let first = try next() else { throw .damaged(path: path) }
        var source = BlockSource(first)
        guard let found = try? source.text() else { throw .damaged(path: path) }
        guard found == job else { throw .otherJob(path: path) }
    }

    /// The next block; nil after the last.
    mutating func next() throws(JobError) -> [UInt8]? {
        guard !isAtEnd else { return nil }
        let start = position + JobFile.blockHeadSize
        let (head, block) = try bytes(position..<start) { bytes throws(JobError) in
            let length = try self.head(bytes).length
            if length == JobFile.end { return nil }
            guard length < JobFile.longestBlock, Int(length) <= size - start else {
                throw .damaged(path: path)
            }
            return start..<start + Int(length)
        }
        let (length, sum) = try self.head(head)
        if length == JobFile.end {
            guard sum == blocks else { throw .damaged(path: path) }
            isAtEnd = true
            return nil
        }
        try check(block.span, length, sum)
        position = start + block.count
        blocks += 1
        return block
    }

    private func head(_ bytes: [UInt8]) throws(JobError) -> (length: UInt64, sum: UInt64) {
        var head = BlockSource(bytes)
        return try decode { () throws(BlockSource.Damaged) in
            (try head.unsigned(), try head.unsigned())
        }
    }

    private func check(_ block: Span<UInt8>, _ length: UInt64, _ sum: UInt64) throws(JobError) {
        guard block.count == length, ByteSum.of(block) == sum else { throw .damaged(path: path) }
    }

    /// A block that has to be there.
    mutating func block() throws(JobError) -> BlockSource {
        guard let block = try next() else { throw .damaged(path: path) }
        return BlockSource(block)
    }

    /// The start of the last block, read from a file's last bytes.
    static func startOfTail(_ bytes: [UInt8], size: Int) -> Int? {
        var last = BlockSource(bytes)
        guard let start = try? last.int(), (JobFile.headSize..<size).contains(start) else {
            return nil
        }
        return start
    }

    /// Continues at a block that begins at an offset.
    mutating func seek(to offset: Int) {
        position = offset
        isAtEnd = false
    }

    /// Some bytes, which need not be a block.
    func bytes(_ range: Range<Int>) throws(JobError) -> [UInt8] {
        try bytes(range) { _ in nil }.first
    }

    /// Some bytes, and then those that `next` finds by them.
    private func bytes(
        _ range: Range<Int>, then next: ([UInt8]) throws(JobError) -> Range<Int>?
    ) throws(JobError) -> (first: [UInt8], second: [UInt8]) {
        guard range.upperBound <= start.count else {
            return try folder.bytes(of: path, range, then: next)
        }
        let first = Array(start[range])
        guard let range = try next(first) else { return (first, []) }
        return (first, try bytes(range))
    }

    /// Decodes the next block.
    mutating func decodeBlock<Value>(
        _ body: (inout BlockSource) throws(BlockSource.Damaged) -> Value
    ) throws(JobError) -> Value {
        var source = try block()
        return try decode { () throws(BlockSource.Damaged) in try body(&source) }
    }

    /// Decodes a block that begins at an offset.
    func decodeBlock<Value>(
        at offset: Int, _ body: (inout BlockSource) throws(BlockSource.Damaged) -> Value
    ) throws(JobError) -> Value {
        var reader = self
        reader.seek(to: offset)
        return try reader.decodeBlock(body)
    }

    /// Decodes the last block, if it is one that is found from the file's end.
    func decodeTail<Value>(
        _ body: (inout BlockSource) throws(BlockSource.Damaged) -> Value
    ) throws(JobError) -> Value {
        guard size > JobFile.headSize + 24 else { throw .damaged(path: path) }
        let tail = try bytes(JobFile.placeOfTail(size)) { last throws(JobError) in
            let end = size - JobFile.blockHeadSize
            guard let start = Self.startOfTail(last, size: size), start < end else {
                throw .damaged(path: path)
            }
            return start..<end
        }.second
        let (length, sum) = try head(Array(tail.prefix(JobFile.blockHeadSize)))
        let block = Array(tail.dropFirst(JobFile.blockHeadSize))
        try check(block.span, length, sum)
        var source = BlockSource(block)
        return try decode { () throws(BlockSource.Damaged) in try body(&source) }
    }

    /// The values in the last block.
    func tail<each Value: BlockValue>() throws(JobError) -> (repeat each Value) {
        try decodeTail { (source) throws(BlockSource.Damaged) in try source.values() }
    }

    /// Decodes bytes; if they are not as they should be, throws that the file is damaged.
    func decode<Value>(_ body: () throws(BlockSource.Damaged) -> Value) throws(JobError) -> Value {
        do {
            return try body()
        } catch {
            throw .damaged(path: path)
        }
    }
}
