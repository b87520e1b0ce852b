import CMicrohttpd
import Synchronization

/// The state of libmicrohttpd's callbacks, which find it by the context pointer.
final class RequestHandler: Sendable {
    let connections: ConnectionTable
    let isClosing = Atomic<Bool>(false)
    let answersUnderWay = AnswersUnderWay()
    /// Cluster questions and the like; the others are answered by the thread that read the request.
    let longAnswers: AnswerLine
    /// The listening socket, after the daemon has returned it.
    let socketToClose = Atomic<Int32>(-1)
    let limits: Limits
    let quickAnswer: QuickAnswer?
    let answer: @Sendable (Request) -> Response

    init(
        limits: Limits, counting count: ConnectionCount, quickAnswer: QuickAnswer?,
        answer: @escaping @Sendable (Request) -> Response
    ) {
        self.limits = limits
        self.quickAnswer = quickAnswer
        self.answer = answer
        connections = ConnectionTable(limits: limits, count: count)
        longAnswers = AnswerLine(threads: limits.threadsOfLongAnswers)
    }

    // MARK: Callbacks

    /// The handler that a callback's context points to.
    private static func at(_ context: UnsafeMutableRawPointer?) -> RequestHandler? {
        unsafe context.map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    /// Called when a connection has opened or is about to close.
    static func connectionChanged(
        _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?,
        _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
        _ change: MHD_ConnectionNotificationCode
    ) {
        guard let handler = unsafe at(context), let slot = unsafe slot else { return }
        if change == covey_mhd_started {
            let connection = handler.connections.open(
                socket: unsafe covey_mhd_socket(handle),
                from: unsafe IPAddress(of: covey_mhd_client(handle)))
            unsafe slot.pointee = unsafe Unmanaged.passRetained(connection).toOpaque()
        } else if let kept = unsafe slot.pointee {
            handler.connections.close(
                unsafe Unmanaged<Connection>.fromOpaque(kept).takeRetainedValue())
            unsafe slot.pointee = nil
        }
    }

    /// Called once with the headers, then again until the request's body is read, and once more for an answer that took long.
    /// - Parameter slot: the request's own value: first the measured length of the target, then the context.
    static func answer(
        _ context: UnsafeMutableRawPointer?, _ request: ReceivedRequest?,
        bodySize: UnsafeMutablePointer<Int>?,
        slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> MHD_Result {
        guard let handler = unsafe at(context), let request,
            let bodySize = unsafe bodySize?.pointee,
            let slot = unsafe slot
        else { return covey_mhd_no }
        let own = unsafe slot.pointee
        if unsafe own != context {
            unsafe slot.pointee = context
            return handler.begin(request, targetLength: UInt(bitPattern: own) >> 1)
        }
        // An announced body has been refused; one that was not announced closes the connection.
        guard bodySize == 0 else { return covey_mhd_no }
        guard let response = request.connection.takeAnswer() ?? handler.response(to: request)
        else { return covey_mhd_yes }
        return request.send(handler.checked(response, on: request.connection))
    }

    /// Takes a request whose head has been read.
    private func begin(_ request: ReceivedRequest, targetLength: UInt) -> MHD_Result {
        request.connection.begin(until: .now.advanced(bySeconds: limits.secondsToFetch))
        let framing = RequestFraming(request, targetLength: targetLength)
        // An answer at the first call closes the connection. So it is sent only if that is wanted:
        // if it is unknown what follows, or a body follows, which no request here needs.
        if let fault = framing.fault { return request.send(refusing(.badRequest, fault)) }
        guard framing.hasBody else { return covey_mhd_yes }
        return request.send(refusing(.contentTooLarge, "requests have no body here"))
    }

    /// Called when an answer was sent or the client went away.
    static func completed(_ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?) {
        guard let handler = unsafe at(context), let handle = unsafe handle else { return }
        unsafe Connection.of(handle)?.end(
            nextRequestUntil: .now.advanced(bySeconds: handler.limits.secondsToAsk))
    }
}
