/// The limits of a server.
public struct Limits: Sendable {
    /// Connections past this many are answered with 503.
    public var connections = 1024
    /// Connections past this many from one address are answered with 503; nil: no such limit.
    public var connectionsPerAddress: Int? = 256
    /// Paths that are also answered on connections past the limits: health checks.
    public var unlimitedPaths: Set<String> = []
    /// Addresses that are exempt from the limit per address: proxies of many clients.
    public var proxies: [AddressBlock] = []
    /// The time for a client to send a request, even byte by byte.
    public var secondsToAsk = 30
    /// The time for a client to receive an answer.
    public var secondsToFetch = 120
    /// The number of threads that answer.
    public var threads = 1
    /// While answers take more memory than this, large ones are answered with 503.
    public var bytesOfAnswers = 256 << 20
    /// A body of more bytes is large.
    public static let bytesOfLargeAnswer = 512 << 10
    /// A longer path is answered with 414.
    public var bytesPerPath = 4 << 10
    /// A longer request line and headers are answered with 431.
    public var bytesPerHead = 8 << 10
    /// The memory of libmicrohttpd for a request and the headers of its answer. libmicrohttpd
    /// itself answers requests that do not fit, by a page with the same status. It clears all of it
    /// after each request, so it is not much more than the limits above need. A header takes 64
    /// bytes here besides its text, and so does a parameter.
    public var bytesPerRequest = 32 << 10

    public init() {}

    /// The time for a client past a limit to send a request; after it the refusal is sent anyway.
    package static let secondsToAskPastLimit = 2

    /// Connections past the limits that are held at one time until they have sent a request and can
    /// be refused; if there are more, the oldest is refused at once. It is half of what
    /// libmicrohttpd accepts: the others may just be closing.
    package var connectionsPastLimit: Int { connectionsToRefuse / 2 }

    /// The threads for answers that take long: one fewer, so that a processor is left for the others.
    var threadsOfLongAnswers: Int { max(threads - 1, 1) }

    /// The connections that libmicrohttpd accepts beyond the limit.
    var connectionsToRefuse: Int { 16 * threads + connections / 8 }
}
