import Compression
import HTTP
import JSON

/// A document in one encoding, ready to be sent.
struct Representation {
    enum Freshness { case asConfigured, never }

    var type: String
    var encoding = ContentEncoding.identity
    var tag: EntityTag
    var freshness = Freshness.asConfigured
    var payload: () throws(ServiceError) -> Payload
}

extension TileService {
    /// The answer with a representation, or 304 if the client has it already.
    func respond(
        _ representation: Representation, to request: Request
    ) throws(ServiceError) -> Response {
        var headers = [
            Response.Header("ETag", representation.tag.text),
            Response.Header("Vary", "Accept-Encoding"),
            Response.Header(
                "Cache-Control",
                representation.freshness == .never ? "no-cache" : options.cacheControl),
        ]
        if let known = request.headers.ifNoneMatch, representation.tag.isNamed(in: known) {
            // Only the body's length is told, which must be the one that a 200 would have
            // (RFC 9110, 8.6).
            return Response(.notModified, headers: headers, body: try representation.payload())
        }
        headers.append(.init("Content-Type", representation.type))
        if representation.encoding != .identity {
            headers.append(.init("Content-Encoding", representation.encoding.rawValue))
        }
        // Ranges of a packed tile are of no use to anybody; the whole is sent instead (RFC 9110, 14.3).
        headers.append(.init("Accept-Ranges", "none"))
        headers.append(.init("X-Content-Type-Options", "nosniff"))
        return Response(.ok, headers: headers, body: try representation.payload())
    }

    /// A document made for this request, packed if it is worth it and the client can unpack it.
    func respond(
        with document: JSONValue, type: String = "application/json", to request: Request,
        freshness: Representation.Freshness = .asConfigured
    ) throws(ServiceError) -> Response {
        var bytes: [UInt8] = []
        document.write(to: &bytes)
        return try respond(
            with: bytes, type: type, to: request, freshness: freshness)
    }

    func respond(
        with bytes: [UInt8], type: String, to request: Request,
        freshness: Representation.Freshness = .asConfigured
    ) throws(ServiceError) -> Response {
        // Below that, a packet is a packet.
        let isPacked =
            bytes.count > 1_000
            && AcceptedEncodings(request.headers.acceptEncoding).hasGzip
        let encoding = isPacked ? ContentEncoding.gzip : .identity
        let representation = Representation(
            type: type, encoding: encoding,
            tag: EntityTag(ContentHash(of: bytes.span), encoding), freshness: freshness
        ) { () throws(ServiceError) in
            guard isPacked else { return Payload(bytes) }
            var compressor = GzipCompressor(level: 4)
            return Payload(compressor.compress(bytes.span))
        }
        return try respond(representation, to: request)
    }

    func refusal(_ error: ServiceError) -> Response {
        let body: JSONValue = ["error": .string(error.description)]
        var headers = [
            Response.Header("Content-Type", "application/json"),
            Response.Header("Cache-Control", error.status == .notFound ? "no-cache" : "no-store"),
            Response.Header("X-Content-Type-Options", "nosniff"),
        ]
        if error.status == .serviceUnavailable { headers.append(.init("Retry-After", "2")) }
        if error.status == .methodNotAllowed { headers.append(.init("Allow", Self.methods)) }
        return Response(error.status, headers: headers, body: Payload(body.text()))
    }

    static var methods: String { "GET, HEAD, OPTIONS" }

    /// What browsers ask before they ask (Fetch, CORS-preflight).
    var preflight: Response {
        Response(
            .noContent,
            headers: [
                .init("Allow", Self.methods), .init("Access-Control-Allow-Methods", Self.methods),
                .init("Access-Control-Allow-Headers", "*"),
                .init("Access-Control-Max-Age", "86400"),
            ])
    }

    /// Says which pages of other origins may read the answer.
    func allowOrigins(for request: Request, in response: inout Response) {
        let allowed: String
        switch options.crossOrigin {
        case .nobody: return
        case .anyone: allowed = "*"
        case .origins(let origins):
            response.headers.append(.init("Vary", "Origin"))
            guard let origin = request.headers.origin, origins.contains(origin) else { return }
            allowed = origin
        }
        response.headers.append(.init("Access-Control-Allow-Origin", allowed))
        response.headers.append(.init("Access-Control-Expose-Headers", "ETag"))
    }
}
