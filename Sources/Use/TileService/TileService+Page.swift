import HTTP

extension TileService {
    /// The preview page: one document for all archives, which its scripts fill in.
    func page(for request: Request) throws(ServiceError) -> Response {
        // Addresses on the page begin at the root, as its own address may end in a slash or not.
        let base = try address(for: request).path
        let html = PageDocument(
            kind: .served, root: base + "/", assets: base + "/-/", mapLibre: options.mapLibre,
            basemap: options.basemap, data: options.publicAddress?.origin)
        var response = try respond(
            with: Array(html.text.utf8), type: "text/html; charset=utf-8", to: request,
            freshness: freshnessOfAddresses(else: .never))
        // Which pages may show this one in a frame can only be said in a header.
        let frames = options.mayBeEmbedded ? "" : "; frame-ancestors 'none'"
        response.headers.append(.init("Content-Security-Policy", html.policy + frames))
        response.headers.append(.init("Referrer-Policy", "no-referrer"))
        return response
    }

    func asset(_ name: String, for request: Request) throws(ServiceError) -> Response {
        guard let asset = assets.asset(named: name) else { throw .unknownPath }
        let isPacked = AcceptedEncodings(request.headers.acceptEncoding).hasGzip
        let encoding = isPacked ? ContentEncoding.gzip : .identity
        return try respond(
            Representation(
                type: asset.type, encoding: encoding, tag: EntityTag(asset.hash, encoding),
                freshness: asset.isData ? .asConfigured : .never
            ) { isPacked ? asset.packed : asset.plain }, to: request)
    }
}
