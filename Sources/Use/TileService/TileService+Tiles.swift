import Compression
import Geometry
import HTTP
import TileArchive

extension TileService {
    /// The largest size of an unpacked tile that a map client could use.
    static let largestTile = 16 << 20

    /// A tile, as stored if the client accepts that.
    func tile(
        _ tile: TileID, suffix: String?, of archive: ServedArchive, for request: Request
    ) throws(ServiceError) -> Response {
        let kind = TileKind(of: archive)
        if let suffix, !kind.suffixes.contains(suffix) { throw .unknownPath }
        guard archive.zooms.contains(Int(tile.z)) else {
            throw .outsideZooms(Int(tile.z), archive.zooms)
        }
        guard let found = try storedTile(tile, of: archive) else {
            return try missing(tile, kind)
        }
        let key = CachedTile.Key(archive: archive.number, tile: tile)
        return try respond(representation(of: found, key, kind, for: request), to: request)
    }

    /// The stored tile, from the cache, from the archive, or cut out of an ancestor; nil if there
    /// is none.
    func storedTile(
        _ tile: TileID, of archive: ServedArchive
    ) throws(ServiceError) -> CachedTile? {
        let key = CachedTile.Key(archive: archive.number, tile: tile)
        if let kept = stored.value(for: key) { return kept }
        var payload = try archive.withTiles { reader throws(ServiceError) in
            try archive.reading { () throws(ArchiveError) in
                try reader.withTile(at: tile) { Payload(copying: $0) }
            }
        }
        if payload == nil { payload = try coveredTile(tile, of: archive) }
        guard let payload, payload.count > 0 else { return nil }
        let found = CachedTile(payload)
        stored.keep(found, for: key)
        return found
    }

    private func representation(
        of found: CachedTile, _ key: CachedTile.Key, _ kind: TileKind, for request: Request
    ) throws(ServiceError) -> Representation {
        let (stored, hash, tile) = (found.payload, found.hash, key.tile)
        guard GzipInflater.isGzip(stored.span) else {
            // Tile 4.1: a tile consists of layers, field 3; other data is not a vector tile.
            guard !kind.isVector || stored.span[0] == 0x1A else {
                throw .damaged("tile \(tile) is neither gzip nor a vector tile")
            }
            return Representation(type: kind.type, tag: EntityTag(hash, .identity)) { stored }
        }
        if AcceptedEncodings(request.headers.acceptEncoding).hasGzip {
            return Representation(
                type: kind.type, encoding: .gzip, tag: EntityTag(hash, .gzip)
            ) { stored }
        }
        return Representation(
            type: kind.type, tag: EntityTag(hash, .identity)
        ) { [inflated] () throws(ServiceError) in
            try inflated.value(for: key) { () throws(ServiceError) in
                do {
                    var inflater = GzipInflater()
                    return Payload(try inflater.inflate(stored.span, limit: Self.largestTile))
                } catch {
                    throw .damaged("tile \(tile): \(error)")
                }
            }
        }
    }

    static func headersOfMissing(_ cacheControl: String) -> [Response.Header] {
        [.init("Cache-Control", cacheControl)]
    }

    private func missing(_ tile: TileID, _ kind: TileKind) throws(ServiceError) -> Response {
        let cached = Self.headersOfMissing(options.cacheControl)
        switch options.missingTile {
        case .noContent: return Response(.noContent, headers: cached)
        case .notFound: throw .missingTile(tile.description)
        case .empty:
            return Response(.ok, headers: cached + [.init("Content-Type", kind.type)])
        }
    }
}

/// The kind of an archive's tiles, by its `format` (MBTiles 1.3, metadata).
struct TileKind {
    let type: String
    let suffixes: [String]

    var isVector: Bool { type == Self.vector }

    init(of archive: ServedArchive) { self.init(format: archive.archive.metadata.format) }

    /// If the format is unknown, the tiles are sent as plain bytes.
    init(format: String) {
        switch format {
        case "pbf", "mvt": (type, suffixes) = (Self.vector, ["pbf", "mvt"])
        case "png": (type, suffixes) = ("image/png", ["png"])
        case "jpg", "jpeg": (type, suffixes) = ("image/jpeg", ["jpg", "jpeg"])
        case "webp": (type, suffixes) = ("image/webp", ["webp"])
        default: (type, suffixes) = ("application/octet-stream", [])
        }
    }

    static let vector = "application/x-protobuf"
}
