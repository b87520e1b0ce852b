import Basics
import Compression
import HTTP
import JSON

/// A document in one encoding, ready to be sent.
struct Representation {
    enum Freshness {
        case asConfigured
        /// Clients ask again each time.
        case never
        /// Clients ask again each time, and only for themselves: the document contains the address
        /// from this client's request, and a cache could send it to another client.
        case ofThisClient
    }

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
        let cacheControl =
            switch representation.freshness {
            case .asConfigured: options.cacheControl
            case .never: "no-cache"
            case .ofThisClient: "no-cache, private"
            }
        let isKnown = request.headers.ifNoneMatch.map(representation.tag.isNamed) ?? false
        // With 304, only the body's length is stated, which must be that of a 200 (RFC 9110, 8.6).
        return Response(
            isKnown ? .notModified : .ok, tag: representation.tag,
            headers: isKnown
                ? Self.validatorHeaders(cacheControl: cacheControl)
                : Self.headers(
                    type: representation.type, encoding: representation.encoding,
                    cacheControl: cacheControl), body: try representation.payload())
    }

    /// The headers of both 304 and 200, besides the tag.
    private static func validatorHeaders(cacheControl: String) -> [Response.Header] {
        [.init("Vary", "Accept-Encoding"), .init("Cache-Control", cacheControl)]
    }

    static func headers(
        type: String, encoding: ContentEncoding, cacheControl: String
    ) -> [Response.Header] {
        var headers = validatorHeaders(cacheControl: cacheControl)
        headers.append(.init("Content-Type", type))
        if encoding != .identity { headers.append(.init("Content-Encoding", encoding.rawValue)) }
        return headers
    }

    /// A document made for this request, compressed if it is large enough and the client accepts gzip.
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
        // Smaller bodies fit into one packet anyway.
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
        ]
        if error.status == .serviceUnavailable { headers.append(.init("Retry-After", "2")) }
        if error.status == .methodNotAllowed { headers.append(.init("Allow", Self.methods)) }
        return Response(error.status, headers: headers, body: Payload(body.text()))
    }

    /// An answer that is made anew for each request.
    func uncached(_ text: String, type: String) -> Response {
        let headers = [
            Response.Header("Content-Type", type), .init("Cache-Control", "no-store"),
        ]
        return Response(.ok, headers: headers, body: Payload(text))
    }

    static var methods: String { "GET, HEAD, OPTIONS" }

    /// The answer to the question that browsers ask beforehand (Fetch, CORS-preflight).
    var preflight: Response {
        Response(
            .noContent,
            headers: [
                .init("Allow", Self.methods), .init("Access-Control-Allow-Methods", Self.methods),
                .init("Access-Control-Allow-Headers", "*"),
                .init("Access-Control-Max-Age", "86400"),
            ])
    }

    /// Adds the headers that say which pages of other origins may read the answer.
    func allowOrigins(for request: Request, in response: inout Response) {
        switch options.crossOrigin {
        case .noOne: return
        case .anyone: response.allowOrigin("*")
        case .origins(let origins):
            response.headers.append(.init("Vary", "Origin"))
            guard let origin = request.headers.origin, origins.contains(origin) else { return }
            response.allowOrigin(origin)
        }
    }
}

extension Response {
    /// The answer with caching for archives that may change at any time: clients ask again each
    /// time, unless users set it otherwise.
    func askedForAgain(_ options: ServiceOptions) -> Response {
        var response = self
        for index in headers.indices
        where headers[index].name == "Cache-Control"
            && headers[index].value == options.cacheControl
        { response.headers[index].value = options.livingCacheControl }
        return response
    }

    /// Lets pages of an origin read the answer (Fetch, CORS protocol).
    mutating func allowOrigin(_ origin: String) {
        headers.append(.init("Access-Control-Allow-Origin", origin))
        // A page that reads a file in parts must know which parts it got, and of which state.
        if headers.contains(where: { $0.name == "Accept-Ranges" }) {
            headers.append(.init("Access-Control-Expose-Headers", "ETag, Content-Range"))
        }
    }
}
