import Basics
import Geometry
import HTTP
import Synchronization
import TileArchive

/// Serves archives to map clients: tiles, TileJSON, styles, answers about clusters, a page.
///
///     let service = TileService(serving: [ServedPath(path: "data")])
///     let server = try HTTPServer(
///         at: socket, limits: limits, counting: service.connections,
///         quickAnswer: service.quickAnswer, answer: service.answer)
///
/// An answer depends only on the request and the archives, so it can be had without a socket.
public final class TileService: Sendable {
    let options: ServiceOptions
    let metrics = Metrics()
    let changes = ArchiveChanges()
    /// Tiles that were asked for recently, so that SQLite need not read a page for each.
    let stored: BoundedCache<CachedTile.Key, CachedTile>
    /// Tiles that were inflated for clients without gzip. Their marks would not do as keys: another
    /// archive may have a tile that was made to have the same.
    let inflated: BoundedCache<CachedTile.Key, Payload>
    let assets: Assets
    /// The path at which a load balancer asks whether the server is alive.
    public static let healthPath = "/health"
    /// The number of connected clients; the server updates it.
    public let connections = ConnectionCount()
    let quickHeaders: QuickHeaders?
    let livingHeaders: QuickHeaders?
    let basePath: [UInt8]
    let current: Mutex<Catalog>
    let log: (@Sendable (AccessRecord) -> Void)?
    private let notice: (@Sendable (CatalogChange) -> Void)?
    private let paths: [ServedPath]
    private let refreshing = Mutex(())
    private let troubles: BuildTroubles

    /// - Parameters:
    ///   - log: is called with each request when it is answered.
    ///   - notice: is called with each file that is added, replaced, removed or refused later.
    public init(
        serving paths: [ServedPath], options: ServiceOptions = ServiceOptions(),
        log: (@Sendable (AccessRecord) -> Void)? = nil,
        notice: (@Sendable (CatalogChange) -> Void)? = nil,
        troubles: BuildTroubles = BuildTroubles()
    ) {
        self.paths = paths
        self.troubles = troubles
        self.options = options
        self.log = log
        self.notice = notice
        stored = BoundedCache(budget: options.tileCacheBytes) { $0.payload.count }
        inflated = BoundedCache(budget: options.inflatedCacheBytes) { $0.count }
        assets = Assets(mapLibre: options.mapLibre)
        quickHeaders = QuickHeaders(options, cacheControl: options.cacheControl)
        livingHeaders = QuickHeaders(options, cacheControl: options.livingCacheControl)
        basePath = Array((options.publicAddress?.path ?? "").utf8)
        current = Mutex(Catalog(of: paths, after: Catalog()))
    }

    var catalog: Catalog { current.withLock { $0 } }
    var problems: [Catalog.Problem] { troubles.joined(to: catalog.problems) }

    /// The ids of the served archives, and one line for each problem with others.
    public var summary: (ids: [String], problems: [String]) {
        let catalog = catalog
        return (catalog.ids, catalog.problems.map { "\($0.path): \($0.reason)" })
    }

    /// Looks for files that were added, changed or removed. Requests that have begun are not disturbed.
    public func refresh() {
        // One thread at a time; a thread that waited finds the work done.
        refreshing.withLock { _ in
            let old = catalog
            let fresh = Catalog(of: paths, after: old)
            current.withLock { $0 = fresh }
            if let notice { fresh.changes(since: old).forEach(notice) }
        }
    }

    /// Answers a request. Questions about clusters take long: if the request may not, the answer comes later.
    @Sendable
    public func answer(_ request: Request) -> Response {
        let start = Instant.now
        var route: Route?
        var response: Response
        do {
            // `OPTIONS *` asks what all paths allow (RFC 9110, 9.3.7).
            let target = request.method == .options && request.path == "*" ? "/" : request.path
            let path = try RequestPath(target, below: options.publicAddress?.path ?? "")
            route = try Route(path)
            if !request.mayTakeLong, Metrics.Kind(route) == .clusters { return .later }
            response = try respond(to: request, route)
        } catch {
            response = refusal(error)
        }
        allowOrigins(for: request, in: &response)
        let seconds = Instant.now.seconds(since: start)
        let isSent = request.method != .head && response.status != .notModified
        let bytes = isSent ? response.body?.count ?? 0 : 0
        metrics.record(Metrics.Kind(route), status: response.status, seconds: seconds, bytes: bytes)
        log?(AccessRecord(request, client(of: request), response, bytes: bytes, seconds: seconds))
        return response
    }

    private func respond(
        to request: Request, _ route: Route?
    ) throws(ServiceError) -> Response {
        guard let route else { throw .unknownPath }
        switch request.method {
        case .options: return preflight
        case .other: throw .methodNotAllowed
        case .get, .head: break
        }
        switch route {
        case .page: return try page(for: request)
        case .catalog: return try catalogDocument(for: request)
        case .health: return health()
        case .metrics: return metricsText()
        case .asset(let name): return try asset(name, for: request)
        case .glyphs(let range): return try glyphs(range, for: request)
        case .tileJSON(let id):
            if let file = servedFile(named: id) {
                let response = try self.file(file, for: request)
                return file.archive.isLiving ? response.askedForAgain(options) : response
            }
            return try withArchive(id, orWithSuffix: ".json") { archive throws(ServiceError) in
                try tileJSON(of: archive, for: request)
            }
        case .style(let id):
            return try withArchive(id) { archive throws(ServiceError) in
                try style(of: archive, for: request)
            }
        case .tile(let id, let tile, let suffix):
            return try withArchive(id) { archive throws(ServiceError) in
                try self.tile(tile, suffix: suffix, of: archive, for: request)
            }
        case .cluster(let id, _, _), .containing(let id), .leaves(let id), .events(let id):
            return try withArchive(id) { archive throws(ServiceError) in
                try answer(route, about: archive, for: request)
            }
        }
    }

    /// Answers a question about an archive.
    private func answer(
        _ route: Route, about archive: ServedArchive, for request: Request
    ) throws(ServiceError) -> Response {
        switch route {
        case .cluster(_, let cluster, let question):
            try answer(question, about: cluster, in: archive, for: request)
        case .containing: try clusterContaining(in: archive, for: request)
        case .leaves: try leavesInBox(of: archive, for: request)
        case .events: try events(of: archive, for: request)
        default: throw .unknownPath
        }
    }

    /// How long a request follows an archive that is replaced again and again, in seconds.
    private static let secondsOfReplacing = 2

    /// Asks an archive; if it cannot be read because another has replaced it, asks that one, and so
    /// on within the time limit.
    private func withArchive(
        _ id: String, orWithSuffix suffix: String = "",
        _ ask: (ServedArchive) throws(ServiceError) -> Response
    ) throws(ServiceError) -> Response {
        let end = Instant.now.advanced(bySeconds: Self.secondsOfReplacing)
        while true {
            let archive = try archive(id, orWithSuffix: suffix)
            do {
                let response = try ask(archive)
                return archive.isLiving ? response.askedForAgain(options) : response
            } catch {
                guard !error.isAboutTheRequest, !archive.isCurrent, .now < end else { throw error }
                refresh()
                let isHopeless = catalog.problems.contains { $0.id == archive.id }
                if isHopeless { throw error }
            }
        }
    }

    private func archive(
        _ id: String, orWithSuffix suffix: String
    ) throws(ServiceError) -> ServedArchive {
        let catalog = catalog
        if let archive = catalog.archives[id] { return archive }
        if id.hasSuffix(suffix), let archive = catalog.archives[String(id.dropLast(suffix.count))] {
            return archive
        }
        throw .unknownArchive(id)
    }
}
