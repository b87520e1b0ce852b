import Platform

/// A file from the web in a temporary file, which is removed with this value.
///
///     let download = try Download(of: "https://example.org/points.gpkg") { print($0.bytes) }
///     let (table, report) = try PointTable.read([download.source])
public struct Download: ~Copyable {
    private let file: InputCopy
    private let name: String

    /// The source of the downloaded points; messages show its URL, without passwords.
    public var source: PointSource { .file(file.path, named: name) }

    /// Downloads a file and calls `progress` repeatedly.
    public init(
        of url: String, limits: WebTransfer.Limits = WebTransfer.Limits(),
        temporaryDirectory: String = "/tmp", isCancelled: () -> Bool = { false },
        progress: (InputProgress) -> Void = { _ in }
    ) throws(InputError) {
        name = WebTransfer.shown(url)
        var transfer = try WebTransfer.begin(of: url, limits: limits)
        var file = try InputCopy(in: temporaryDirectory, of: name)
        while let bytes = try transfer.next(of: url, isCancelled) {
            try file.append(bytes.span)
            progress(
                InputProgress(input: name, bytes: file.count, total: transfer.head.contentLength))
        }
        self.file = file
    }
}

extension WebTransfer {
    static func begin(
        of url: String, range: Range<Int>? = nil, limits: Limits = Limits()
    ) throws(InputError) -> WebTransfer {
        do { return try WebTransfer(of: url, range: range, limits: limits) } catch {
            throw InputError(error, of: url)
        }
    }

    /// Waits for the next bytes of an input; nil after the last.
    mutating func next(
        of url: String, _ isCancelled: () -> Bool
    ) throws(InputError) -> ArraySlice<UInt8>? {
        do { return try next(isCancelled: isCancelled) } catch { throw InputError(error, of: url) }
    }
}

extension InputError {
    init(_ fault: WebFault, of url: String) {
        let name = WebTransfer.shown(url)
        self =
            if fault == .cancelled {
                .cancelled(input: name)
            } else if fault.received > 0 {
                .readFailed(input: name, offset: fault.received, reason: fault.reason)
            } else {
                .cannotOpen(input: name, reason: fault.reason)
            }
    }
}
