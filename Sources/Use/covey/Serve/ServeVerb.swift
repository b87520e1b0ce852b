import Arguments
import HTTP
import TileService
import CLibrary

/// `covey serve PATH…`.
enum ServeVerb: Verb {
    static let name = "serve"
    static let summary = "serves archives to map clients: tiles, clusters, styles, a page"
    static let usage = "serve [options] PATH…"
    static let examples = [
        "serve places.csv",
        "serve --port 80 --host 0.0.0.0 --public-url https://tiles.example.org cafes=data/a.mbtiles",
    ]

    private static let host = Option(
        "host", "HOST", "the address to listen on", default: "127.0.0.1")
    private static let port = Option(
        "port", short: "p", "PORT", "the port; 0 takes any free one", default: 8080)
    private static let publicURL = Option<PublicAddress?>(
        "public-url", "URL", "the address at which clients reach this server, with its base path")
    private static let proxies = Option<[AddressBlock]>(
        repeated: "trusted-proxy", "ADDRESS", "a proxy (or block: 10.0.0.0/8) to trust")
    private static let cors = Option<[String]>(
        repeated: "cors", "ORIGIN", "the origin whose pages may read, * (the default) or none")
    private static let cacheControl = Option(
        "cache-control", "TEXT", "the Cache-Control header",
        default: ServiceOptions.usualCacheControl)
    private static let missing = Option(
        "missing", "WHAT", "the answer for a missing tile: 204, 404 or empty",
        default: ServiceOptions.MissingTile.noContent)
    private static let mapLibre = Option<MapLibreSource?>(
        "maplibre", "DIR|URL", "where the page gets MapLibre GL JS from")
    private static let basemap = Option<BasemapAddress?>(
        "basemap", "URL", "a MapLibre style that the page draws under the data")
    private static let embed = Option<Bool>(
        flag: "embed", "let other pages, such as notebooks, show the page in a frame")
    private static let glyphs = Option<String?>(
        "glyphs", "URL",
        "where styles find glyphs, with {fontstack} and {range} (default: on this server)")
    private static let font = Option<String?>(
        "font", "NAME", "the font of counts in styles, as the glyph server names it")
    private static let connections = Option(
        "max-connections", "N", "more are answered with 503", default: 1024)
    private static let perAddress = Option<Int?>(
        "max-connections-per-ip", "N",
        "more from one address are answered with 503 (default: a quarter of all, at least 16)")
    private static let timeout = Option(
        "timeout", "SECONDS", "how long a client may take to send a request", default: 30)
    private static let threads = Option<ThreadCount?>(
        "threads", "N", "how many threads answer (default: one per core)")
    private static let followLinks = Option<Bool>(
        flag: "follow-links", "follow links in a folder that lead out of it")
    private static let accessLog = Option<Bool>(
        flag: "access-log", "write a line of JSON per request to standard output")
    private static let quiet = Option<Bool>(flag: "quiet", short: "q", "print nothing but errors")

    static let syntax = VerbSyntax(
        operands: [
            .init(
                "PATH",
                "an archive, a folder to search for archives, or points (or a recipe) to build, again "
                    + "whenever they change; ID=PATH names it",
                count: 1...Int.max)
        ],
        groups: [
            .init("address", host, port, publicURL, proxies),
            .init("answers", cors, cacheControl, missing, mapLibre, basemap, embed, glyphs, font),
            .init("limits", connections, perAddress, timeout, threads, followLinks),
            .init("output", accessLog, quiet),
        ],
        common: ["host", "port", "public-url", "basemap", "access-log", "quiet"])

    static func run(_ arguments: ParsedArguments, console: Console) throws {
        // Wrong options are reported before any work.
        _ = (try options(arguments), try limits(arguments))
        let socket = try ListeningSocket(host: arguments[host], port: arguments[port])
        ServeSupervisor(console: console).run {
            finish(console) { try serve(arguments, console: console, at: socket) }
        }
    }

    private static func serve(
        _ arguments: ParsedArguments, console: Console, at socket: ListeningSocket
    ) throws {
        let paths = paths(arguments)
        guard
            let living = try LivingArchives(
                paths, console: console, isQuiet: arguments[quiet])
        else { return try serve(paths, arguments, console: console, at: socket) }
        try living.buildAll()
        living.watch()
        try serve(
            living.paths, arguments, console: console, at: socket, troubles: living.troubles,
            end: { living.remove() })
    }

    private static func paths(_ arguments: ParsedArguments) -> [ServedPath] {
        arguments.operands.map { operand in
            var path = ServedPath(argument: operand)
            path.followsLinks = arguments[followLinks]
            return path
        }
    }

    /// Serves until the program is told to end.
    /// - Parameters:
    ///   - socket: the socket to listen at; nil opens one.
    ///   - troubles: what builds of points tell.
    ///   - ready: is called with the address of the page.
    ///   - end: is called last, also if the program has to end at once.
    static func serve(
        _ paths: [ServedPath], _ arguments: ParsedArguments, console: Console,
        at socket: ListeningSocket? = nil, troubles: BuildTroubles = BuildTroubles(),
        ready: (_ address: String) -> Void = { _ in },
        end: () -> Void = {}
    ) throws {
        var log: (@Sendable (AccessRecord) -> Void)?
        if arguments[accessLog] { log = AccessLog(console).write }
        let journal = ServiceJournal(console: console, isQuiet: arguments[quiet])
        // Wrong options are reported before any file is opened.
        let options = try options(arguments)
        var limits = try limits(arguments)
        if let files = limits.fitOpenFiles() {
            console.complain(
                "only \(files) files may be open (ulimit -n), so connections beyond "
                    + "\(limits.connections) are answered with 503")
        }
        let service = TileService(
            serving: paths, options: options, log: log, notice: journal.tell, troubles: troubles)
        let summary = service.summary
        for problem in summary.problems { console.complain(problem) }
        if summary.ids.isEmpty { throw ServeError.nothingToServe(paths.map(\.path)) }
        let watch = try ServiceWatch(service, journal: journal)
        let server = try HTTPServer(
            at: socket ?? ListeningSocket(host: arguments[host], port: arguments[port]),
            limits: limits,
            counting: service.connections, quickAnswer: service.quickAnswer,
            answer: service.answer)
        let addresses = ServedAddresses(host: arguments[host], port: Int(server.port))
        journal.say(addresses.line(archives: summary.ids.count))
        ready(addresses.here)
        let isInterrupted = watch.waitForEnd()
        journal.say("finishing open requests")
        let code = isInterrupted ? ExitCode.stopped(by: SIGINT) : .done
        let isDrained = server.drain(seconds: drainSeconds)
        end()
        if !isDrained {
            console.complain("an answer takes longer than \(drainSeconds) seconds; it is cut off")
            _exit(code.rawValue)
        }
        if isInterrupted { exit(code.rawValue) }
    }

    /// How many seconds open requests may take once the program is told to end.
    private static let drainSeconds = 10

    private static func options(_ arguments: ParsedArguments) throws -> ServiceOptions {
        var options = ServiceOptions()
        options.publicAddress = arguments[publicURL]
        options.trustedProxies = arguments[proxies]
        options.cacheControl = arguments[cacheControl]
        options.missingTile = arguments[missing]
        options.mapLibre = arguments[mapLibre] ?? .usual
        options.basemap = arguments[basemap]
        options.mayBeEmbedded = arguments[embed]
        options.glyphs = arguments[glyphs]
        options.font = arguments[font]
        options.crossOrigin = try crossOrigin(arguments[cors])
        guard options.cacheControl.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw UsageError.unreadableValue(
                option: "--cache-control", value: options.cacheControl, expected: "one plain line")
        }
        return options
    }

    private static func crossOrigin(_ words: [String]) throws -> ServiceOptions.CrossOrigin {
        if words.isEmpty || words == ["*"] { return .anyone }
        if words == ["none"] { return .noOne }
        if words.contains("*") || words.contains("none") {
            throw UsageError.contradiction(
                "--cors has origins and * or none", remedy: "leave out one or the other")
        }
        return .origins(Set(try words.map(origin)))
    }

    /// An origin as browsers spell it: scheme, host and port.
    private static func origin(_ word: String) throws(UsageError) -> String {
        let origin = (word.hasSuffix("/") ? String(word.dropLast()) : word).lowercased()
        let parts = origin.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].hasSuffix(":"), parts[1].isEmpty, !parts[2].isEmpty else {
            throw .unreadableValue(
                option: "--cors", value: word, expected: "origins such as https://example.org")
        }
        return origin
    }

    private static func limits(_ arguments: ParsedArguments) throws -> Limits {
        func positive(_ number: Int, _ option: String) throws -> Int {
            guard (1...1_000_000).contains(number) else {
                throw UsageError.unreadableValue(
                    option: option, value: "\(number)", expected: "from 1 to 1000000")
            }
            return number
        }
        guard (0...65_535).contains(arguments[port]) else {
            throw UsageError.unreadableValue(
                option: "--port", value: "\(arguments[port])", expected: "from 0 to 65535")
        }
        var limits = Limits()
        limits.connections = try positive(arguments[connections], "--max-connections")
        limits.connectionsPerAddress = try positive(
            arguments[perAddress] ?? max(16, limits.connections / 4), "--max-connections-per-ip")
        let base = arguments[publicURL]?.path ?? ""
        limits.unlimitedPaths = Set(["", base].map { $0 + TileService.healthPath })
        limits.proxies = arguments[proxies]
        limits.secondsToAsk = try positive(arguments[timeout], "--timeout")
        limits.secondsToFetch = 4 * limits.secondsToAsk
        limits.threads = min(arguments.threadCount, 256)
        return limits
    }
}
