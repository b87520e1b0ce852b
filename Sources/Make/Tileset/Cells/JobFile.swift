import Points
import Platform

/// The layout of a job's files: a mark and a version, then blocks, each with its length and a sum
/// over it, and at the end the number of blocks.
enum JobFile {
    static let mark = Array("covey cells\n".utf8)
    /// Is increased with every change of the layout of any file of a job, or of what states in them mean.
    static let version: UInt32 = 24
    static let headSize = 16
    /// The bytes before each block: its length, and a sum over it.
    static let blockHeadSize = 16
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
    let temporaryPath: String
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
