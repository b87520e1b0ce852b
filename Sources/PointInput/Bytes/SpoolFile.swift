/// The bytes of a pipe in a temporary file, to be read more than once; it is gone when nobody reads
/// it any more.
final class SpoolFile {
    let name: String
    private var file: TemporaryFile

    var count: Int { file.count }

    init(in directory: String, named name: String) throws(InputError) {
        self.name = name
        file = try TemporaryFile(in: directory, isNamed: false)
    }

    func append(_ block: borrowing ByteBlock) throws(InputError) {
        let bytes = block.cursor()
        try file.append(bytes.span(0..<bytes.end))
    }

    /// The bytes from the start, for one reader of its own.
    func makeSource() -> any ByteSource { Source(self) }

    private final class Source: ByteSource {
        private let spool: SpoolFile
        private var offset = 0

        init(_ spool: SpoolFile) { self.spool = spool }

        func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
            let count = try unsafe spool.file.read(into: buffer, at: offset)
            offset += count
            return count
        }
    }
}
