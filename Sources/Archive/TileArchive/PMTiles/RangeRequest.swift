import Platform

/// One range of a file on the web, fetched by the system's `curl`, which knows proxies, certificates
/// and redirects as the user has set them up.
struct RangeRequest {
    let address: String
    let range: Range<Int>

    struct Answer {
        var bytes: [UInt8]
        /// How long the whole file is.
        var total: Int
        /// What marks this state of the file, if the server says so.
        var tag: String?
    }

    private static let noRanges =
        "the server does not give ranges of files, which an archive on the web needs; download it "
        + "whole"
    private static let connectSeconds = 15
    private static let silenceSeconds = 30

    /// Headers go to standard error, the body to standard output. Where the connection breaks, it
    /// is tried twice more.
    private var arguments: [String] {
        let isSecure = address.prefix(6).lowercased() == "https:"
        return [
            "--disable", "--silent", "--show-error", "--fail", "--globoff",
            "--proto", "=http,https", "--location", "--max-redirs", "5",
            "--proto-redir", isSecure ? "=https" : "=http,https",
            "--connect-timeout", "\(Self.connectSeconds)", "--retry", "2",
            "--speed-limit", "1", "--speed-time", "\(Self.silenceSeconds)",
            "--range", "\(range.lowerBound)-\(range.upperBound - 1)",
            "--dump-header", "/dev/stderr", "--url", address,
        ]
    }

    func run() throws(ArchiveError) -> Answer {
        guard !address.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
            throw failure("it is no address")
        }
        var curl = try start()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var body: [UInt8] = []
        var head = RangeHead()
        receiving: while true {
            switch curl.wait(&buffer, milliseconds: Int32(1_000 * (Self.silenceSeconds + 5))) {
            case .end: break receiving
            case .errors(let count): head.append(buffer[..<count])
            case .output(let count):
                body += buffer[..<count]
                guard body.count <= range.count else {
                    throw failure(
                        head.isWhole
                            ? Self.noRanges : "the server sends more than it was asked for")
                }
            case .silence: throw failure("nothing came for \(Self.silenceSeconds) seconds")
            }
        }
        try check(head, exit: curl.exitCode())
        guard let answered = head.range, answered.lowerBound == range.lowerBound,
            answered.count == body.count, let total = head.total,
            answered.upperBound == min(range.upperBound, total)
        else { throw failure("the server answers with another range than it was asked for") }
        return Answer(bytes: body, total: total, tag: head.tag)
    }

    private func start() throws(ArchiveError) -> ChildProcess {
        do { return try ChildProcess("curl", arguments) } catch {
            switch error {
            case .notFound:
                throw failure("archives on the web need the program curl, which is not installed")
            case .failed(let why): throw failure("the program curl cannot be started: \(why)")
            }
        }
    }

    private func check(_ head: RangeHead, exit code: Int32?) throws(ArchiveError) {
        guard code == 0 else {
            throw failure(
                code == 22
                    ? "the server answered \(head.status)"
                    : head.message ?? "curl failed with \(code ?? -1)")
        }
        guard head.status.hasPrefix("206") else {
            throw failure(head.isWhole ? Self.noRanges : "the server answered \(head.status)")
        }
    }

    private func failure(_ reason: String) -> ArchiveError {
        .unreadable(path: address, reason: reason)
    }
}

/// What the header lines of the last response say.
struct RangeHead {
    private(set) var status = "nothing"
    private(set) var range: Range<Int>?
    private(set) var total: Int?
    private(set) var tag: String?
    /// What curl itself says went wrong.
    private(set) var message: String?
    private var line: [UInt8] = []

    /// Whether the whole file is sent, whatever was asked for.
    var isWhole: Bool { status.hasPrefix("200") }

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
            self = RangeHead()
            message = before
            status = words.dropFirst().first.map(String.init) ?? ""
        } else if line.hasPrefix("curl: (") {
            message = line.split(separator: " ", maxSplits: 2).last.map(String.init)
        } else if let value = Self.value(of: "content-range:", in: line) {
            takeRange(value)
        } else if let value = Self.value(of: "etag:", in: line) {
            // A weak tag does not say that the bytes are the same (RFC 9110, 8.8.3).
            if !value.hasPrefix("W/") { tag = value }
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
