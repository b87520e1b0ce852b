/// What a server puts up with.
public struct Limits: Sendable {
    /// Connections past this many are answered with 503.
    public var connections = 1024
    /// Connections past this many from one address are answered with 503; nil: no such limit.
    public var connectionsPerAddress: Int? = 256
    /// Paths that are answered on connections past the limits too: health checks.
    public var unlimitedPaths: Set<String> = []
    /// Addresses that the limit per address does not concern: proxies that speak for many.
    public var proxies: [AddressBlock] = []
    /// How long a client may take to send a request, however slowly it dribbles.
    public var secondsToAsk = 30
    /// How long a client may take to fetch an answer.
    public var secondsToFetch = 120
    /// How many threads answer.
    public var threads = 1
    /// A longer path is answered with 414.
    public var bytesPerPath = 4 << 10
    /// A longer request line and headers are answered with 431.
    public var bytesPerHead = 8 << 10
    /// What libmicrohttpd has for a request and the headers of its answer. What does not even fit in
    /// here it answers itself, by a page with the same status. It wipes all of it after each request,
    /// so it is not much more than the limits above need. A header takes 64 bytes here besides its
    /// own.
    public var bytesPerRequest = 12 << 10

    public init() {}

    /// How long who is past a limit may take to ask, before that is told anyway.
    package static let secondsToAskPastLimit = 2

    /// Connections past the limits that are held at one time, until they have asked and are told
    /// so; if there are more, the oldest is told at once. Half of what libmicrohttpd has for them:
    /// the others may just be closing.
    package var connectionsPastLimit: Int { connectionsToRefuse / 2 }

    /// Connections that libmicrohttpd takes beyond the limit.
    var connectionsToRefuse: Int { 16 * threads + connections / 8 }
}
