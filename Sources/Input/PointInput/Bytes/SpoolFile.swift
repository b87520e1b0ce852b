/// The bytes of a pipe in a temporary file, which can be read repeatedly; it is removed with the last reader.
final class SpoolFile {
    private let file: InputCopy

    init(_ input: OpenInput, in directory: String) throws(InputError) {
        var file = try InputCopy(in: directory, of: input.name, isNamed: false)
        try file.append(contentsOf: input)
        self.file = file
    }

    /// An input with the bytes from the start, for one reader.
    func opened() throws(InputError) -> OpenInput {
        try OpenInput(Source(self), name: file.name, size: file.count, reopen: opened)
    }

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
