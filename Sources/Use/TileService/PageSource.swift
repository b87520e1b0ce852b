import CPageData

/// The scripts, styles and texts that the page is made of, which are part of the program.
enum PageSource {
    static func bytes(of name: String) -> [UInt8] {
        var count = 0
        guard let bytes = unsafe page_file_bytes(name, &count) else {
            preconditionFailure("the page has no file \(name)")
        }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    static func text(of name: String) -> String {
        String(decoding: bytes(of: name), as: UTF8.self)
    }
}
