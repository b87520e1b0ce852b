/// A transfer of a file, or of a range of it, from the web.
///
/// The system's `curl` does the transfer, with the user's own settings of proxies, certificates and
/// redirects. Linking Foundation's networking instead would load some forty libraries at every
/// start of the program, whether anything is transferred or not.
///
///     var transfer = try WebTransfer(of: "https://example.org/points.gpkg")
///     while let bytes = try transfer.next() { try file.append(bytes.span) }
public struct WebTransfer: ~Copyable {
    /// The limits of a transfer.
    public struct Limits: Sendable {
        /// The size past which the transfer is given up.
        public var bytes = 64 << 30
        public var redirects = 10
        /// The time for a server to accept the connection.
        public var connectSeconds = 30
        /// The time that it may send nothing.
        public var silenceSeconds = 60

        public init() {}
    }

    /// The header lines of the last response.
    public private(set) var head = ResponseHead()
    /// The number of bytes of the body received so far.
    public private(set) var received = 0
    private let range: Range<Int>?
    private let limits: Limits
    private var curl: ChildProcess
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    /// The longest time before a cancellation is noticed, in milliseconds.
    private static let glance = 100

    /// Whether a name is an address on the web.
    public static func isAddress(_ name: String) -> Bool {
        let name = name.prefix(8).lowercased()
        return name.hasPrefix("http://") || name.hasPrefix("https://")
    }

    /// A name with an address in it for messages: without the password, as in `https://user:…@host/a`.
    public static func shown(_ name: String) -> String {
        guard let scheme = name.firstRange(of: "://"),
            case let authority = name[scheme.upperBound...].prefix(while: { !"/?#".contains($0) }),
            let at = authority.lastIndex(of: "@"), let colon = authority.firstIndex(of: ":"),
            colon < at
        else { return name }
        return name[...colon] + "…" + name[at...]
    }

    /// Requests a file.
    /// - Parameters:
    ///   - address: an http or https address.
    ///   - range: the requested bytes; all if nil.
    ///   - limits: the limits of the transfer.
    public init(
        of address: String, range: Range<Int>? = nil, limits: Limits = Limits()
    ) throws(WebFault) {
        let curl = try Self.start(address, range, limits)
        self.range = range
        self.limits = limits
        self.curl = curl
    }

    private static func start(
        _ address: String, _ range: Range<Int>?, _ limits: Limits
    ) throws(WebFault) -> ChildProcess {
        guard isAddress(address), !address.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F })
        else { throw WebFault("it is not a URL of http or https") }
        do { return try ChildProcess("curl", arguments(address, range, limits)) } catch {
            switch error {
            case .notFound:
                throw WebFault(
                    "files on the web need the program curl, which is not installed; install it, or "
                        + "download the file by other means")
            case .failed(let why): throw WebFault("the program curl cannot be started: \(why)")
            }
        }
    }

    /// The headers go to standard error as they arrive, the body to standard output; so the size is
    /// counted and bounded here, whatever the server says.
    private static func arguments(
        _ address: String, _ range: Range<Int>?, _ limits: Limits
    ) -> [String] {
        let isSecure = address.prefix(6).lowercased() == "https:"
        var words = [
            // The user's .curlrc could send the body elsewhere.
            "--disable", "--silent", "--show-error", "--fail", "--globoff", "--no-buffer",
            "--proto", "=http,https", "--location", "--max-redirs", "\(limits.redirects)",
            "--proto-redir", isSecure ? "=https" : "=http,https",
            "--connect-timeout", "\(limits.connectSeconds)",
            // It also gives up by itself, in case this program is gone.
            "--speed-limit", "1", "--speed-time", "\(limits.silenceSeconds + 5)",
            "--dump-header", "/dev/stderr",
        ]
        if let range {
            words += ["--retry", "2", "--range", "\(range.lowerBound)-\(range.upperBound - 1)"]
        }
        return words + ["--url", address]
    }

    /// Waits for the next bytes; nil at the end, when everything requested has arrived.
    public mutating func next(
        isCancelled: () -> Bool = { false }
    ) throws(WebFault) -> ArraySlice<UInt8>? {
        var silence = 0
        while true {
            if isCancelled() { throw .cancelled }
            switch curl.wait(&buffer, milliseconds: Int32(Self.glance)) {
            case .end:
                try checkEnd()
                return nil
            case .errors(let count):
                silence = 0
                head.append(buffer[..<count])
                try checkSize(max(received, head.contentLength ?? 0))
            case .output(let count):
                received += count
                try checkSize(received)
                return buffer[..<count]
            case .silence:
                silence += Self.glance
                guard silence < 1_000 * limits.silenceSeconds else {
                    throw failure("nothing came for \(limits.silenceSeconds) seconds")
                }
            }
        }
    }

    private func checkSize(_ size: Int) throws(WebFault) {
        guard size <= limits.bytes else {
            throw WebFault("it is larger than the \(limits.bytes) bytes that are allowed")
        }
        guard let range, received > 0 else { return }
        if head.isWhole { throw .noRanges }
        guard head.range?.lowerBound == range.lowerBound else { throw failure(Self.otherRange) }
        guard received <= range.count else {
            throw failure("the server sends more than it was asked for")
        }
    }

    private static let otherRange = "the server answers with another range than it was asked for"

    /// Checks the exit code: see EXIT CODES in curl(1).
    private mutating func checkEnd() throws(WebFault) {
        switch curl.exitCode() {
        case nil: throw failure("curl was ended by a signal")
        case 0: break
        case 18:
            let size = head.contentLength.map { ", of \($0) bytes" } ?? ""
            throw failure("the transfer ended early" + size)
        case 22: throw WebFault("the server answered \(head.status)")
        case 47: throw WebFault("there were more than \(limits.redirects) redirects")
        case let code?: throw failure(head.message ?? "curl failed with \(code)")
        }
        // curl does not report a redirect without a target as a failure.
        guard head.isSuccess else { throw WebFault("the server answered \(head.status)") }
        guard let range else { return }
        if head.isWhole { throw .noRanges }
        guard let answered = head.range, let total = head.total, answered.count == received,
            answered == range.clamped(to: 0..<total)
        else { throw failure(Self.otherRange) }
    }

    private func failure(_ reason: String) -> WebFault { WebFault(reason, received: received) }
}

/// Why a transfer from the web failed.
public struct WebFault: Error, Equatable {
    public let reason: String
    /// The number of bytes received before.
    public let received: Int

    init(_ reason: String, received: Int = 0) {
        self.reason = reason
        self.received = received
    }

    /// The caller cancelled it.
    public static let cancelled = WebFault("it was stopped")
    /// The server sends files only as a whole.
    public static let noRanges = WebFault("the server does not give ranges of files")
}
