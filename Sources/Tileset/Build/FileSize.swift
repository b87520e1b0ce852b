import CLibrary

/// How large a file is.
enum FileSize {
    /// The bytes of a file; 0 if there is none.
    static func bytes(of path: String) -> Int {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
