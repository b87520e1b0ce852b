import Compression
import Geometry
import HTTP

extension TileService {
    /// The answer to a plain request for a tile that is kept in memory, as nearly all are that many
    /// clients ask for. It must be the one that `answer` gives.
    @Sendable
    public func quickAnswer(path: Span<UInt8>, acceptEncoding: Span<UInt8>) -> Response? {
        guard log == nil, let headers = gzipTileHeaders else { return nil }
        let start = Instant.now
        guard AcceptedEncodings.plainlyHasGzip(acceptEncoding),
            let place = TilePath(path, below: basePath),
            let archive = current.withLock({ $0.vectorArchive(named: path.extracting(place.id)) }),
            let tile = stored.value(for: StoredTile.Key(archive: archive, tile: place.tile)),
            GzipInflater.isGzip(tile.payload.span)
        else { return nil }
        metrics.record(
            .tile, status: .ok, seconds: Instant.now.seconds(since: start),
            bytes: tile.payload.count)
        return Response(
            .ok, common: headers, tag: EntityTag(tile.hash, .gzip), body: tile.payload)
    }

    /// The headers of all gzip vector tiles but their tags; nil where they depend on who asks.
    static func gzipTileHeaders(_ options: ServiceOptions) -> HeaderSet? {
        var response = Response(
            .ok,
            headers: headers(
                type: TileKind.vector, encoding: .gzip, cacheControl: options.cacheControl))
        switch options.crossOrigin {
        case .nobody: break
        case .anyone: response.allowOrigin("*")
        case .origins: return nil
        }
        return HeaderSet(response.headers)
    }
}
