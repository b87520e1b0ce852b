import Platform

/// One run of `curl`: what it is told, and what its headers, body and end mean.
struct Transfer {
    private let url: String
    private let limits: Download.Limits
    private var headers = ResponseHeaders()
    /// How many milliseconds pass at most before a cancellation is noticed.
    private static let glance = 100

    init(of url: String, limits: Download.Limits) {
        self.url = url
        self.limits = limits
    }

    /// Headers go to standard error as they come, the body to standard output; so the size is
    /// known, counted and bounded here, whatever the server says.
    private var arguments: [String] {
        let isSecure = url.prefix(6).lowercased() == "https:"
        return [
            // The user's .curlrc could send the body elsewhere.
            "--disable", "--silent", "--show-error", "--fail", "--globoff", "--no-buffer",
            "--proto", "=http,https", "--location", "--max-redirs", "\(limits.redirects)",
            "--proto-redir", isSecure ? "=https" : "=http,https",
            "--connect-timeout", "\(limits.connectSeconds)",
            // It gives up by itself, too, should we be gone.
            "--speed-limit", "1", "--speed-time", "\(limits.silenceSeconds + 5)",
            "--dump-header", "/dev/stderr", "--url", url,
        ]
    }

    mutating func run(
        into file: inout InputCopy, isCancelled: () -> Bool,
        _ progress: (InputProgress) -> Void
    ) throws(InputError) {
        var curl = try start()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var silence = 0
        receiving: while true {
            if isCancelled() { throw .cancelled(input: url) }
            let event = curl.wait(&buffer, milliseconds: Int32(Self.glance))
            if case .silence = event {} else { silence = 0 }
            switch event {
            case .end: break receiving
            case .errors(let count):
                headers.append(buffer.span.extracting(0..<count))
                try checkSize(max(file.count, headers.contentLength ?? 0))
            case .output(let count):
                try checkSize(file.count + count)
                try file.append(buffer.span.extracting(0..<count))
                progress(
                    InputProgress(input: url, bytes: file.count, total: headers.contentLength))
            case .silence:
                silence += Self.glance
                if silence >= 1_000 * limits.silenceSeconds {
                    throw failure(
                        after: file.count, "nothing came for \(limits.silenceSeconds) seconds")
                }
            }
        }
        try check(exit: curl.exitCode(), received: file.count)
    }

    private func start() throws(InputError) -> ChildProcess {
        do { return try ChildProcess("curl", arguments) } catch {
            let reason =
                switch error {
                case .notFound:
                    "downloads need the program curl, which is not installed; install it, or "
                        + "download the file by other means"
                case .failed(let why): "the program curl cannot be started: \(why)"
                }
            throw .cannotOpen(input: url, reason: reason)
        }
    }

    private func checkSize(_ size: Int) throws(InputError) {
        guard size <= limits.bytes else {
            throw .cannotOpen(
                input: url, reason: "it is larger than the \(limits.bytes) bytes that are allowed")
        }
    }

    /// What the exit code means: see EXIT CODES in curl(1).
    private func check(exit code: Int32?, received: Int) throws(InputError) {
        guard let code else { throw failure(after: received, "curl was ended by a signal") }
        guard code == 0 else {
            let interrupted = headers.contentLength.map {
                "the transfer ended early, of \($0) bytes"
            }
            switch code {
            case 18: throw failure(after: received, interrupted ?? "the transfer ended early")
            case 22: throw failure(after: 0, "the server answered \(headers.status)")
            case 47: throw failure(after: 0, "there were more than \(limits.redirects) redirects")
            default: throw failure(after: received, headers.message ?? "curl failed with \(code)")
            }
        }
        // A redirect that leads nowhere is no failure to curl.
        guard headers.isSuccess else {
            throw failure(after: 0, "the server answered \(headers.status)")
        }
    }

    private func failure(after received: Int, _ reason: String) -> InputError {
        received > 0
            ? .readFailed(input: url, offset: received, reason: reason)
            : .cannotOpen(input: url, reason: reason)
    }
}
