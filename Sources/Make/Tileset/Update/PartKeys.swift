import ParallelColumns
import Points

/// Finds the blocks of a part that may have points of some keys: a file beside it has, for each point, a number
/// that follows from its key. It is made when it is first needed, and again if it is damaged.
struct PartKeys {
    let files: PartFolder
    let identity: PointIdentity
    let keys: AttributeKeys
    let options: BuildOptions

    /// The number of blocks of points whose numbers are in one block of the file.
    private static let blocksAtOnce = 1 << 7

    /// The result of a search in a part.
    struct Found {
        /// The blocks that may have points of the keys.
        var blocks: [Int] = []
        /// Whether any point has a key.
        var hasKeys = false
    }

    func find(_ marks: Set<UInt32>, in part: String, _ head: PartHead) throws -> Found {
        if marks.isEmpty { return Found() }
        let path = files.note("keys-" + identity.fileName, of: part)
        if files.has(path), let found = try? read(path, marks, head) { return found }
        try write(part, head, to: path)
        return try read(path, marks, head)
    }

    private func read(_ path: String, _ marks: Set<UInt32>, _ head: PartHead) throws -> Found {
        var reader = try files.read(path)
        let filter = MarkFilter(marks)
        // The part may have lost blocks since.
        let numbers = Dictionary(
            head.blocks.enumerated().map { ($1.offset, $0) },
            uniquingKeysWith: { first, _ in first })
        var found = Found()
        while let bytes = try reader.next() {
            try options.checkCancelled()
            try reader.decode { () throws(BlockSource.Damaged) in
                try Self.forEachBlock(of: bytes) { offset, marks in
                    guard let number = numbers[offset] else { return }
                    for index in marks.indices where marks[index] != 0 {
                        found.hasKeys = true
                        guard filter.has(marks[index]) else { continue }
                        found.blocks.append(number)
                        break
                    }
                }
            }
        }
        found.blocks.sort()
        return found
    }

    private static func forEachBlock(
        of bytes: [UInt8], _ body: (_ offset: Int, _ marks: Span<UInt32>) -> Void
    ) throws(BlockSource.Damaged) {
        var source = BlockSource(bytes)
        let offsets: Column<Int> = try source.column()
        let counts: Column<Int> = try source.column()
        let marks: Column<UInt32> = try source.column()
        guard counts.count == offsets.count else { throw BlockSource.Damaged() }
        var first = 0
        for index in 0..<offsets.count {
            let count = counts[index]
            guard count >= 0, count <= marks.count - first else { throw BlockSource.Damaged() }
            body(offsets[index], marks.span.extracting(first..<first + count))
            first += count
        }
    }

    private func write(_ part: String, _ head: PartHead, to path: String) throws {
        var writer = try JobFileWriter(path, job: files.job)
        let pieces = stride(from: 0, to: head.blocks.count, by: Self.blocksAtOnce).map {
            Array(head.blocks[$0..<min($0 + Self.blocksAtOnce, head.blocks.count)])
        }
        try Workers.with(options.threads, expecting: 0) { workers in
            for start in stride(from: 0, to: pieces.count, by: 4 * workers.count) {
                try options.checkCancelled()
                let next = Array(pieces[start..<min(start + 4 * workers.count, pieces.count)])
                let made = workers.map(next) { blocks in
                    Result { try marks(of: blocks, in: part, head) }
                }
                for marks in made { try writer.append(marks.get()) }
            }
        }
        try writer.finish()
    }

    private func marks(
        of blocks: [PartBlock], in part: String, _ head: PartHead
    ) throws -> [UInt8] {
        let reader = try PartReader(part, head.names, in: files, keys)
        var marks = Column<UInt32>()
        for block in blocks {
            let points = try reader.points(of: block)
            for row in 0..<points.count {
                marks.append(points.key(of: row, by: identity)?.mark ?? 0)
            }
        }
        var sink = BlockSink()
        sink.write(Column(blocks.map(\.offset)))
        sink.write(Column(blocks.map(\.count)))
        sink.write(marks)
        return sink.bytes
    }
}

/// A set of numbers with some bits that reject most others: hashing each would take longer than reading them.
private struct MarkFilter {
    private let marks: Set<UInt32>
    private var bits: [Bool]

    init(_ marks: Set<UInt32>) {
        self.marks = marks
        bits = Array(repeating: false, count: 1 << 16)
        for mark in marks { bits[Int(mark & 0xFFFF)] = true }
    }

    func has(_ mark: UInt32) -> Bool { bits[Int(mark & 0xFFFF)] && marks.contains(mark) }
}

extension PointIdentity {
    /// A form for file names: attributes may have any characters in their names.
    fileprivate var fileName: String {
        switch self {
        case .id: "id"
        case .attribute(let name): String(ByteSum.of(name), radix: 16)
        case .ids(let name): "id-" + String(ByteSum.of(name), radix: 16)
        }
    }
}
