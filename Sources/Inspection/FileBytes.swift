import CLibrary

/// Bytes of files that are small enough to be read at once.
enum FileBytes {
    /// All bytes of the file, or of standard input for `-`.
    static func read(_ path: String, limit: Int) throws(InspectionError) -> [UInt8] {
        let bytes = try readStart(path, count: limit + 1)
        guard bytes.count <= limit else { throw .tooLarge(path: path, limit: limit) }
        return bytes
    }

    /// At most `count` bytes from the file's start.
    static func readStart(_ path: String, count: Int) throws(InspectionError) -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path: path, reason: reason(errno)) }
        defer { if path != "-" { close(descriptor) } }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: min(count, 1 << 16))
        while bytes.count < count {
            let wanted = min(piece.count, count - bytes.count)
            let got = unsafe readPiece(descriptor, &piece, wanted)
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw .unreadable(path: path, reason: reason(errno)) }
            if got == 0 { break }
            bytes += piece[..<got]
        }
        return bytes
    }

    private static func readPiece(
        _ descriptor: Int32, _ piece: UnsafeMutableRawPointer, _ count: Int
    ) -> Int {
        unsafe CLibrary.read(descriptor, piece, count)
    }

    /// How long a file is.
    static func size(of path: String) -> Int? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    private static func reason(_ code: Int32) -> String {
        unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    }
}
