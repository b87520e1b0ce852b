import Compression
import Geometry
import HTTP

extension TileService {
    /// The answer to a plain request for a vector tile, which is what nearly all requests are; nil
    /// where there is anything special about it. It must be the one that `answer` gives.
    @Sendable
    public func quickAnswer(path: Span<UInt8>, acceptEncoding: Span<UInt8>) -> Response? {
        guard log == nil, let headers = quickHeaders else { return nil }
        let start = Instant.now
        guard AcceptedEncodings.plainlyHasGzip(acceptEncoding),
            let found = TilePath(path, below: basePath),
            let archive = current.withLock({ $0.vectorArchive(named: path.extracting(found.id)) }),
            archive.zooms.contains(Int(found.tile.z)),
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
                return headers.missing(archive).map { Response(.noContent, common: $0) }
            }
            guard GzipInflater.isGzip(tile.payload.span) else { return nil }
            return Response(
                .ok, common: archive.isLiving ? headers.livingTile : headers.tile,
                tag: EntityTag(tile.hash, .gzip), body: tile.payload)
        } catch {
            // The long way asks again, and knows what to say.
            return nil
        }
    }
}

/// The headers of quick answers, made ready once.
struct QuickHeaders: Sendable {
    /// Of all gzip vector tiles, but for their tags.
    let tile: HeaderSet
    let livingTile: HeaderSet
    private let missing: HeaderSet?
    private let livingMissing: HeaderSet?

    /// Of tiles that an archive has not; nil where these are answered by more than 204.
    func missing(_ archive: ServedArchive) -> HeaderSet? {
        archive.isLiving ? livingMissing : missing
    }

    /// nil where headers depend on who asks.
    init?(_ options: ServiceOptions) {
        func made(_ headers: [Response.Header]) -> HeaderSet {
            var response = Response(.ok, headers: headers)
            if options.crossOrigin == .anyone { response.allowOrigin("*") }
            return HeaderSet(response.headers)
        }
        if case .origins = options.crossOrigin { return nil }
        func tile(_ cacheControl: String) -> HeaderSet {
            made(
                TileService.headers(
                    type: TileKind.vector, encoding: .gzip, cacheControl: cacheControl))
        }
        func missing(_ cacheControl: String) -> HeaderSet? {
            guard options.missingTile == .noContent else { return nil }
            return made(TileService.headersOfMissing(cacheControl))
        }
        self.tile = tile(options.cacheControl)
        livingTile = tile(options.livingCacheControl)
        self.missing = missing(options.cacheControl)
        livingMissing = missing(options.livingCacheControl)
    }
}
