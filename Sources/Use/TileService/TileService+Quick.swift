import Compression
import Geometry
import HTTP

extension TileService {
    /// The answer to a plain request for a vector tile, as nearly all requests are; nil if there is
    /// anything special about it. It must equal that of `answer`.
    @Sendable
    public func quickAnswer(path: Span<UInt8>, acceptEncoding: Span<UInt8>) -> Response? {
        guard log == nil else { return nil }
        let start = Instant.now
        guard AcceptedEncodings.plainlyHasGzip(acceptEncoding),
            let found = TilePath(path, below: basePath),
            let archive = current.withLock({ $0.vectorArchive(named: path.extracting(found.id)) }),
            archive.zooms.contains(Int(found.tile.z)),
            let headers = archive.isLiving ? livingHeaders : quickHeaders,
            let response = quickAnswer(to: found.tile, of: archive, headers)
        else { return nil }
        metrics.record(
            .tile, status: response.status, seconds: Instant.now.seconds(since: start),
            bytes: response.body?.count ?? 0)
        return response
    }

    private func quickAnswer(
        to id: TileID, of archive: ServedArchive, _ headers: QuickHeaders
    ) -> Response? {
        do {
            guard let tile = try storedTile(id, of: archive) else {
                return headers.missing.map { Response(.noContent, common: $0) }
            }
            guard GzipInflater.isGzip(tile.payload.span) else { return nil }
            return Response(
                .ok, common: headers.tile, tag: EntityTag(tile.hash, .gzip), body: tile.payload)
        } catch {
            // `answer` tries again, and reports the error.
            return nil
        }
    }
}

/// The headers of quick answers, prepared once.
struct QuickHeaders: Sendable {
    /// The headers of all gzip vector tiles, without their tags.
    let tile: HeaderSet
    /// The headers for tiles that an archive does not have; nil if the answer for these is not a plain 204.
    let missing: HeaderSet?

    /// Nil if headers depend on the client.
    init?(_ options: ServiceOptions, cacheControl: String) {
        func made(_ headers: [Response.Header]) -> HeaderSet {
            var response = Response(.ok, headers: headers)
            if options.crossOrigin == .anyone { response.allowOrigin("*") }
            return HeaderSet(response.headers)
        }
        if case .origins = options.crossOrigin { return nil }
        tile = made(
            TileService.headers(type: TileKind.vector, encoding: .gzip, cacheControl: cacheControl))
        missing =
            options.missingTile == .noContent
            ? made(TileService.headersOfMissing(cacheControl)) : nil
    }
}
