/// What `curl` writes to standard error: the header lines of each response, and its own messages.
public struct ResponseHead: Sendable {
    /// The last response's code and reason, as `404 Not Found`.
    public private(set) var status = "nothing"
    public private(set) var contentLength: Int?
    /// The range of bytes that is sent, if it is a part of the file; `total` is the size of the file.
    public private(set) var range: Range<Int>?
    public private(set) var total: Int?
    private var entityTag: String?
    private var modified: String?
    /// The error message of curl itself.
    private(set) var message: String?
    private var line: [UInt8] = []

    init() {}

    /// An identifier of this state of the file, if the server sends one.
    public var tag: String? { entityTag ?? modified }

    var isSuccess: Bool { status.hasPrefix("2") }
    /// Whether the whole file is sent, even if a range was requested.
    var isWhole: Bool { isSuccess && !status.hasPrefix("206") }

    /// Reads the next bytes, which may end within a line.
    mutating func append(_ bytes: ArraySlice<UInt8>) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                take(String(decoding: line, as: UTF8.self))
                line.removeAll(keepingCapacity: true)
            } else if byte != UInt8(ascii: "\r"), line.count < 1 << 12 {
                line.append(byte)
            }
        }
    }

    private mutating func take(_ line: String) {
        if line.hasPrefix("HTTP/") {
            let words = line.split(separator: " ", maxSplits: 1)
            let before = message
            self = ResponseHead()
            message = before
            status = words.dropFirst().first.map(String.init) ?? ""
        } else if line.hasPrefix("curl: (") {
            message = line.split(separator: " ", maxSplits: 2).last.map(String.init)
        } else if let value = Self.value(of: "content-length:", in: line) {
            contentLength = Int(value).flatMap { $0 >= 0 ? $0 : nil }
        } else if let value = Self.value(of: "content-range:", in: line) {
            takeRange(value)
        } else if let value = Self.value(of: "etag:", in: line) {
            // A weak tag does not guarantee that the bytes are the same (RFC 9110, 8.8.3).
            if !value.hasPrefix("W/") { entityTag = value }
        } else if let value = Self.value(of: "last-modified:", in: line) {
            modified = value
        }
    }

    private static func value(of name: String, in line: String) -> String? {
        guard line.prefix(name.utf8.count).lowercased() == name else { return nil }
        return String(line.dropFirst(name.utf8.count).drop { $0 == " " })
    }

    /// `bytes 0-16383/230000` (RFC 9110, 14.4).
    private mutating func takeRange(_ value: String) {
        let parts = value.split { " -/".contains($0) }
        guard parts.count == 4, parts[0].lowercased() == "bytes", let first = Int(parts[1]),
            let last = Int(parts[2]), let total = Int(parts[3]), first >= 0, first <= last,
            last < total, total < 1 << 60
        else { return }
        range = first..<last + 1
        self.total = total
    }
}
