extension Request {
    /// Reads a request from libmicrohttpd.
    init(_ received: ReceivedRequest) {
        var headers = Headers()
        headers.acceptEncoding = received.header("accept-encoding")
        headers.ifNoneMatch = received.header("if-none-match")
        headers.lastEventID = received.header("last-event-id")
        headers.range = received.header("range")
        headers.ifRange = received.header("if-range")
        headers.host = received.header("host")
        headers.origin = received.header("origin")
        headers.forwardedFor = received.header("x-forwarded-for")
        headers.forwardedHost = received.header("x-forwarded-host")
        headers.forwardedPrefix = received.header("x-forwarded-prefix")
        headers.forwardedProto = received.header("x-forwarded-proto")
        self.init(
            Method(rawValue: String(received.method)) ?? .other, String(received.path),
            query: received.query, headers: headers, peer: received.connection.peer)
    }
}
