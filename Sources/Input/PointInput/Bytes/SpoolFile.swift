/// The bytes of a pipe in a temporary file, which can be read repeatedly; it is removed with the last reader.
final class SpoolFile {
    private var file: InputCopy

    var name: String { file.name }
    var count: Int { file.count }

    init(in directory: String, named name: String) throws(InputError) {
        file = try InputCopy(in: directory, of: name, isNamed: false)
    }

    func append(_ block: borrowing ByteBlock) throws(InputError) {
        let bytes = block.cursor()
        try file.append(bytes.span(0..<bytes.end))
    }

    /// A stream of the bytes from the start, for one reader.
    func makeSource() -> any ByteStream { Source(self) }

    private final class Source: ByteStream {
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
