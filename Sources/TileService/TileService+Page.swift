import HTTP

extension TileService {
    /// The preview page: one document for all archives, filled in by its scripts.
    func page(for request: Request) throws(ServiceError) -> Response {
        // Addresses on the page begin at the root: it may be asked for with or without a slash.
        let base = try address(for: request).path
        let html = PageDocument(
            kind: .served, root: base + "/", assets: base + "/-/", mapLibre: options.mapLibre,
            basemap: options.basemap)
        var response = try respond(
            with: Array(html.text.utf8), type: "text/html; charset=utf-8", to: request,
            freshness: freshnessOfAddresses(else: .never))
        response.headers.append(.init("Content-Security-Policy", contentPolicy))
        response.headers.append(.init("Referrer-Policy", "no-referrer"))
        return response
    }

    /// Scripts, styles and data from here and nowhere else, except for MapLibre where it must be
    /// fetched; MapLibre's workers are blobs, its icons data.
    private var contentPolicy: String {
        let foreign = options.mapLibre.foreignOrigin.map { " " + $0 } ?? ""
        let data = options.publicAddress.map { " " + $0.origin } ?? ""
        // A style of others names tiles, glyphs and pictures of others.
        let basemap = options.basemap.map { " https: \($0.origin)" } ?? ""
        return [
            "default-src 'none'", "script-src 'self'\(foreign)", "style-src 'self'\(foreign)",
            "img-src 'self' data: blob:\(data)\(basemap)",
            "connect-src 'self'\(data)\(basemap)", "worker-src blob:",
            "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        ].joined(separator: "; ")
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
