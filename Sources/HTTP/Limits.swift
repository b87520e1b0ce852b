/// What a server puts up with.
public struct Limits: Sendable {
    /// Connections past this many are answered with 503.
    public var connections = 1024
    /// Connections past this many from one address are answered with 429; nil: no such limit.
    public var connectionsPerAddress: Int?
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
    /// here it answers itself, by a page with the same status.
    public var bytesPerRequest = 16 << 10

    public init() {}

    /// Connections beyond the limit that are still taken, to be told politely that it is reached.
    var connectionsToRefuse: Int { 16 * threads + connections / 8 }
}
