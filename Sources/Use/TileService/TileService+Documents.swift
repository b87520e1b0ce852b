import Geometry
import HTTP
import JSON
import TileArchive

extension TileService {
    /// The archive's description for map clients (TileJSON 3.0.0).
    func tileJSON(
        of archive: ServedArchive, for request: Request
    ) throws(ServiceError) -> Response {
        let address = try address(for: request)
        return try respond(
            with: TileJSON(of: archive).document(at: address), to: request,
            freshness: freshnessOfAddresses())
    }

    /// The caching of documents with addresses: the usual one if the addresses were given to the
    /// server, but not if they are taken from the client's request.
    func freshnessOfAddresses(
        else known: Representation.Freshness = .asConfigured
    ) -> Representation.Freshness {
        options.publicAddress == nil ? .ofThisClient : known
    }

    func catalogDocument(for request: Request) throws(ServiceError) -> Response {
        let address = try address(for: request)
        let catalog = catalog
        let entries = catalog.ids.compactMap { catalog.archives[$0] }.map { archive -> JSONValue in
            var object = TileJSON(of: archive).summary
            let base = "\(address.text)/\(archive.id)"
            object["tilejson"] = .string(base)
            object["style"] = .string(base + "/style.json")
            object["clusters"] = .bool(archive.archive.hasClusters)
            object["points"] = archive.pointCount.map(JSONValue.integer)
            return .object(object)
        }
        let problems = problems.map { problem -> JSONValue in
            ["id": .string(problem.id), "problem": .string(problem.reason)]
        }
        return try respond(
            with: ["archives": .array(entries), "problems": .array(problems)], to: request,
            freshness: freshnessOfAddresses(else: .never))
    }

    func health() -> Response {
        let catalog = catalog
        let body: JSONValue = [
            "status": "ok", "archives": .integer(Int64(catalog.ids.count)),
            "problems": .integer(Int64(problems.count)),
        ]
        return uncached(body.text(), type: "application/json")
    }

    func metricsText() -> Response {
        let catalog = catalog
        let tiles = stored.figures
        let cache = inflated.figures
        let text = metrics.text(
            gauges: [
                ("connections", "Clients connected now.", connections.value),
                ("archives", "Archives served.", catalog.ids.count),
                (
                    "archive_problems", "Archives that cannot be served as they are now.",
                    problems.count
                ),
                ("tile_cache_bytes", "Bytes of tiles kept.", tiles.bytes),
                ("tile_cache_hits", "Tiles found kept.", tiles.hits),
                ("tile_cache_misses", "Tiles that had to be read.", tiles.misses),
                ("inflated_cache_bytes", "Bytes of inflated tiles kept.", cache.bytes),
                ("inflated_cache_hits", "Inflated tiles found kept.", cache.hits),
                ("inflated_cache_misses", "Tiles that had to be inflated.", cache.misses),
            ], refusals: connections.refusalsByStatus)
        return uncached(text, type: "text/plain; version=0.0.4")
    }
}
