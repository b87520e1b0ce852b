import Points

/// What `curl` writes to standard error: the header lines of each response, and its own message.
struct ResponseHeaders {
    /// The last response's code and words, as `404 Not Found`.
    private(set) var status = "nothing"
    private(set) var contentLength: Int?
    /// What curl itself says went wrong.
    private(set) var message: String?
    private var line: [UInt8] = []

    var isSuccess: Bool { status.hasPrefix("2") }

    /// Takes the next bytes, which may end within a line.
    mutating func append(_ bytes: Span<UInt8>) {
        for index in bytes.indices {
            if bytes[index] == UInt8(ascii: "\n") {
                take(String(decoding: line, as: UTF8.self))
                line.removeAll(keepingCapacity: true)
            } else if bytes[index] != UInt8(ascii: "\r"), line.count < 1 << 12 {
                line.append(bytes[index])
            }
        }
    }

    private mutating func take(_ line: String) {
        if line.hasPrefix("HTTP/") {
            status =
                line.split(separator: " ", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
            contentLength = nil
        } else if line.hasPrefix("curl: (") {
            message = line.split(separator: " ", maxSplits: 2).last.map(String.init)
        } else if line.lowercased().hasPrefix("content-length:") {
            let value = line.dropFirst("content-length:".count).drop { $0 == " " }
            contentLength = Int(value).flatMap { $0 >= 0 ? $0 : nil }
        }
    }
}
