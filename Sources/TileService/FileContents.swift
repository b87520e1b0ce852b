import CLibrary

/// The bytes of a whole file; nil if it cannot be read or has more than `limit`.
func contents(ofFile path: String, limit: Int) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
        let count = unsafe read(descriptor, &chunk, chunk.count)
        if count < 0 { return nil }
        if count == 0 { return bytes }
        bytes += chunk[..<count]
    }
    return nil
}
