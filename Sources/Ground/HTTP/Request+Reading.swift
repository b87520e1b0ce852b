extension Request {
    /// Reads a request from libmicrohttpd.
    init(_ received: ReceivedRequest) {
        var headers = Headers()
        headers.acceptEncoding = received.header("Accept-Encoding")
        headers.ifNoneMatch = received.header("If-None-Match")
        headers.lastEventID = received.header("Last-Event-ID")
        headers.range = received.header("Range")
        headers.ifRange = received.header("If-Range")
        headers.host = received.header("Host")
        headers.origin = received.header("Origin")
        headers.forwardedFor = received.header("X-Forwarded-For")
        headers.forwardedHost = received.header("X-Forwarded-Host")
        headers.forwardedPrefix = received.header("X-Forwarded-Prefix")
        headers.forwardedProto = received.header("X-Forwarded-Proto")
        self.init(
            Method(rawValue: String(received.method)) ?? .other, String(received.path),
            query: received.query, headers: headers, peer: received.connection.peer)
    }
}
