/// The parts of an HTTP request that an answer may depend on.
public struct Request: Sendable {
    public enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case options = "OPTIONS"
        case other
    }

    public struct QueryItem: Equatable, Sendable {
        public var name: String
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The headers that are used; nil if the client did not send them.
    public struct Headers: Sendable {
        public var acceptEncoding: String?
        public var ifNoneMatch: String?
        public var lastEventID: String?
        public var range: String?
        public var ifRange: String?
        public var host: String?
        public var origin: String?
        public var forwardedFor: String?
        public var forwardedHost: String?
        public var forwardedPrefix: String?
        public var forwardedProto: String?

        public init() {}
    }

    public var method: Method
    /// The path as it was sent, with percent-escapes.
    public var path: String
    /// The query's items, with percent-escapes.
    public var query: [QueryItem]
    public var headers: Headers
    /// The address at the other end of the connection, which may be a proxy's.
    public var peer: IPAddress
    /// Whether the thread that asks can wait. If it cannot, an answer that takes long may be `Response.later`, and
    /// another thread asks again.
    public var mayTakeLong = true

    /// - Parameter target: a path, or a whole address, whose host then takes precedence.
    public init(
        _ method: Method = .get, _ target: String, query: [QueryItem] = [],
        headers: Headers = Headers(), peer: IPAddress = .loopback
    ) {
        let absolute = Self.absoluteTarget(target)
        self.method = method
        path = absolute?.path ?? target
        self.query = query
        self.headers = headers
        if let absolute { self.headers.host = absolute.authority }
        self.peer = peer
    }
}
