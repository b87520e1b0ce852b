import Points
import Platform

/// The layout of a job's files: a mark and a version, then blocks, each with its length and a sum
/// over it, and at the end the number of blocks.
enum JobFile {
    static let mark = Array("covey cells\n".utf8)
    /// Is increased with every change of the layout of any file of a job, or of what states in them mean.
    static let version: UInt32 = 21
    static let headSize = 16
    /// Stands in place of a length where no block follows.
    static let end = UInt64.max
    /// Greater than the length of any block.
    static let longestBlock = 1 << 40

    /// The bytes that say where the last block begins; after them comes only the mark that no other follows.
    static func placeOfTail(_ size: Int) -> Range<Int> { size - 24..<size - 16 }

    static func head(_ version: UInt32) -> [UInt8] {
        var head = mark
        unsafe withUnsafeBytes(of: version.littleEndian) { unsafe head += $0 }
        return head
    }
}

/// Writes one file of a job. It appears whole under its name, or not at all.
struct JobFileWriter: ~Copyable {
    private let path: String
    private let temporaryPath: String
    private let file: File
    private var blocks: Int
    private var isFinished = false
    /// Where the next block begins.
    private(set) var size: Int

    /// - Parameter job: the text that identifies the job or its kind.
    init(
        _ path: String, job: String, version: UInt32 = JobFile.version
    ) throws(JobError) {
        var first = BlockSink()
        first.write(job)
        let front = JobFile.head(version) + Self.head(of: first.bytes.span) + first.bytes
        let temporaryPath = "\(path).\(Process.uniqueName).part"
        file = try Self.begin(temporaryPath, with: front, of: path)
        (self.path, self.temporaryPath) = (path, temporaryPath)
        (blocks, size) = (1, front.count)
    }

    private static func begin(
        _ temporaryPath: String, with front: [UInt8], of path: String
    ) throws(JobError) -> File {
        do {
            let file = try UnfinishedFiles.begin(temporaryPath) { () throws(FileError) in
                try File(creating: temporaryPath)
            }
            do {
                try file.write(front.span)
                return file
            } catch {
                UnfinishedFiles.remove(temporaryPath)
                throw error
            }
        } catch {
            throw .cannotWrite(path: path, reason: "\(error)")
        }
    }

    deinit { if !isFinished { UnfinishedFiles.remove(temporaryPath) } }

    /// Appends a block, and returns its range, including the head.
    @discardableResult
    mutating func append(_ block: [UInt8]) throws(JobError) -> Range<Int> {
        try append(block.span)
    }

    @discardableResult
    mutating func append(_ block: Span<UInt8>) throws(JobError) -> Range<Int> {
        let start = size
        try write(Self.head(of: block), then: block)
        blocks += 1
        return start..<size
    }

    /// The bytes before a block.
    private static func head(of block: Span<UInt8>) -> [UInt8] {
        head(length: UInt64(block.count), ByteSum.of(block))
    }

    private static func head(length: UInt64, _ sum: UInt64) -> [UInt8] {
        var head = BlockSink()
        head.write(length)
        head.write(sum)
        return head.bytes
    }

    /// Ends the file with a block that readers find from the file's end.
    mutating func finish(tail: BlockSink) throws(JobError) {
        var tail = tail
        tail.write(size)
        try append(tail.bytes)
        try finish()
    }

    /// - Parameter newPath: its final path, if that depends on what was written.
    mutating func finish(as newPath: String? = nil) throws(JobError) {
        try write(Self.head(length: JobFile.end, UInt64(blocks)), then: [UInt8]().span)
        let (from, to) = (temporaryPath, newPath ?? path)
        do {
            try UnfinishedFiles.publish(from) { () throws(FileError) in
                try File.rename(from, to: to)
            }
        } catch {
            throw .cannotWrite(path: to, reason: "\(error)")
        }
        isFinished = true
    }

    private mutating func write(
        _ head: [UInt8], then block: Span<UInt8>
    ) throws(JobError) {
        do {
            try file.write(head.span, at: size)
            try file.write(block, at: size + head.count)
        } catch {
            throw .cannotWrite(path: path, reason: "\(error)")
        }
        size += head.count + block.count
    }
}

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
        var head = BlockSource(try bytes(position..<position + 16))
        guard let length = try? head.unsigned(), let sum = try? head.unsigned() else {
            throw .damaged(path: path)
        }
        if length == JobFile.end {
            guard sum == blocks else { throw .damaged(path: path) }
            isAtEnd = true
            return nil
        }
        guard length < JobFile.longestBlock else { throw .damaged(path: path) }
        guard Int(length) <= size - position - 16 else { throw .damaged(path: path) }
        let block = try bytes(position + 16..<position + 16 + Int(length))
        guard block.count == Int(length), ByteSum.of(block.span) == sum else {
            throw .damaged(path: path)
        }
        position += 16 + Int(length)
        blocks += 1
        return block
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
        range.upperBound <= start.count ? Array(start[range]) : try folder.bytes(of: path, range)
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
        guard size > JobFile.headSize + 24,
            let start = Self.startOfTail(try bytes(JobFile.placeOfTail(size)), size: size)
        else { throw .damaged(path: path) }
        return try decodeBlock(at: start, body)
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
