import CMicrohttpd
import Dispatch
import Synchronization
import CLibrary

/// Answers a GET without conditions from the path as it was sent and the `Accept-Encoding` header
/// (empty if there is none) alone; for nil the whole request is read.
public typealias QuickAnswer =
    @Sendable (_ path: Span<UInt8>, _ acceptEncoding: Span<UInt8>) -> Response?

/// A running HTTP/1.1 server: libmicrohttpd with epoll and a pool of threads. It stops when its
/// owner goes away.
///
///     let socket = try ListeningSocket(host: "127.0.0.1", port: 8080)
///     let server = try HTTPServer(at: socket, limits: limits) { request in
///         Response(.ok, body: Payload("hello"))
///     }
///     …
///     server.drain(seconds: 10)
@safe
public struct HTTPServer: ~Copyable {
    /// The port on which it listens.
    public let port: Int
    private let daemon: OpaquePointer
    private let handler: RequestHandler
    private let watch: any DispatchSourceTimer

    /// Starts to answer requests; closures are called from several threads at once.
    /// - Parameters:
    ///   - count: keeps the number of open connections.
    ///   - quickAnswer: is called first.
    public init(
        at socket: ListeningSocket, limits: Limits, counting count: ConnectionCount = .init(),
        quickAnswer: QuickAnswer? = nil, answer: @escaping @Sendable (Request) -> Response
    ) throws(HTTPError) {
        try socket.listen()
        let handler = RequestHandler(
            limits: limits, counting: count, quickAnswer: quickAnswer, answer: answer)
        guard let daemon = unsafe Self.start(handler, at: socket) else {
            throw .cannotStart(code: errno)
        }
        let watch = DispatchSource.makeTimerSource()
        watch.schedule(deadline: .now() + 1, repeating: 1)
        let peak = Mutex(ConnectionPeak())
        watch.setEventHandler {
            handler.connections.cutOverdue()
            if peak.withLock({ $0.hasPassed(at: count.value) }) { covey_mhd_trim_memory() }
        }
        watch.resume()
        unsafe self.daemon = daemon
        self.port = socket.port
        self.handler = handler
        self.watch = watch
    }

    /// Starts libmicrohttpd with a handler that is kept alive until it has stopped.
    private static func start(
        _ handler: RequestHandler, at socket: ListeningSocket
    ) -> OpaquePointer? {
        let limits = handler.limits
        var settings = covey_mhd_settings()
        settings.listening_socket = socket.descriptor
        settings.threads = UInt32(limits.threads)
        // Threads have equal shares of the limit, but connections are not distributed equally.
        settings.connections = UInt32(limits.connections + limits.connectionsToRefuse)
        settings.timeout = UInt32(limits.secondsToAsk)
        // Requests that it would refuse without an answer are checked here, where possible.
        settings.strictness = RequestFraming.knowsLayout ? 0 : 1
        settings.memory_per_connection = limits.bytesPerRequest
        return unsafe covey_mhd_start(
            &settings, Unmanaged.passUnretained(handler).toOpaque(),
            {
                unsafe RequestHandler.answer(
                    $0, ReceivedRequest($1, path: $2, method: $3, version: $4), bodySize: $6,
                    slot: $7)
            },
            { context, handle, _, _ in unsafe RequestHandler.completed(context, handle) },
            { unsafe RequestHandler.connectionChanged($0, $1, $2, $3) })
    }

    /// All open connections.
    package var connections: ConnectionTable { handler.connections }

    deinit {
        watch.cancel()
        // Stopping waits for all threads. If one is stuck in an answer, everything is left
        // allocated until the program ends.
        guard !handler.answersUnderWay.areAbandoned else {
            _ = unsafe Unmanaged.passRetained(handler)
            return
        }
        handler.longAnswers.finish()
        unsafe MHD_stop_daemon(daemon)
        let socket = handler.socketToClose.load(ordering: .relaxed)
        if socket >= 0 { close(socket) }
    }

    /// Accepts no more connections, lets pending requests be answered, and stops.
    /// - Parameter seconds: the most seconds to wait for slow clients and slow answers.
    /// - Returns: whether all threads have ended. A thread that has not is stuck in making an
    ///   answer and ends only with the program.
    public consuming func drain(seconds: Int) -> Bool {
        handler.isClosing.store(true, ordering: .relaxed)
        let listening = unsafe MHD_quiesce_daemon(daemon)
        // New connections are rejected at once. The socket must not be closed before the daemon has stopped.
        if listening >= 0 { shutdown(listening, Int32(SHUT_RDWR)) }
        handler.socketToClose.store(listening, ordering: .relaxed)
        let deadline = Instant.now.advanced(bySeconds: seconds)
        while handler.connections.hasBusyConnections && .now < deadline { usleep(10_000) }
        return handler.answersUnderWay.stop()
    }
}
