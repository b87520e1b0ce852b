/// A file from the web, in a temporary file that goes away with this value.
///
/// The transfer is done by the system's `curl`: it knows proxies, certificates and redirects as the
/// user has set them up. Linking Foundation's networking instead would bring some forty
/// libraries into every start of the program, whether anything is downloaded or not.
///
///     let download = try Download(of: "https://example.org/points.gpkg") { print($0.bytes) }
///     let (table, report) = try PointTable.read([download.source])
public struct Download: ~Copyable {
    private let file: InputCopy
    private let url: String

    /// How a download may go.
    public struct Limits: Sendable {
        /// The size past which it is given up.
        public var bytes = 64 << 30
        public var redirects = 10
        /// How long a server may take to answer the first call.
        public var connectSeconds = 30
        /// How long it may say nothing.
        public var silenceSeconds = 60

        public init() {}
    }

    /// Where the downloaded points are read from; messages call it by its URL.
    public var source: PointSource { .file(file.path, named: url) }
    public var path: String { file.path }
    public var byteCount: Int { file.count }

    /// Whether an input's name is that of something to download.
    public static func isURL(_ name: String) -> Bool {
        let name = name.prefix(8).lowercased()
        return name.hasPrefix("http://") || name.hasPrefix("https://")
    }

    /// Fetches a file and calls `progress` now and then.
    public init(
        of url: String, limits: Limits = Limits(), temporaryDirectory: String = "/tmp",
        isCancelled: () -> Bool = { false }, progress: (InputProgress) -> Void = { _ in }
    ) throws(InputError) {
        guard Self.isURL(url), !url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
            throw .cannotOpen(input: url, reason: "it is not a URL of http or https")
        }
        var file = try InputCopy(in: temporaryDirectory, of: url)
        var transfer = Transfer(of: url, limits: limits)
        try transfer.run(into: &file, isCancelled: isCancelled, progress)
        self.file = file
        self.url = url
    }
}
