import CMicrohttpd
import Synchronization

/// What libmicrohttpd's callbacks work with: they find it by the context pointer.
final class Shop: Sendable {
    let ledger: ConnectionLedger
    let isClosing = Atomic<Bool>(false)
    /// The listening socket once the daemon has given it back.
    let socketToClose = Atomic<Int32>(-1)
    private let limits: Limits
    private let answer: @Sendable (Request) -> Response

    init(limits: Limits, answer: @escaping @Sendable (Request) -> Response) {
        self.limits = limits
        self.answer = answer
        ledger = ConnectionLedger(limits: limits)
    }

    // MARK: Callbacks

    /// A connection was opened or is about to be closed.
    static func connectionChanged(
        _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?,
        _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
        _ change: MHD_ConnectionNotificationCode
    ) {
        guard let context = unsafe context, let slot = unsafe slot else { return }
        let shop = unsafe Unmanaged<Shop>.fromOpaque(context).takeUnretainedValue()
        if change == covey_mhd_started {
            let connection = shop.ledger.open(
                socket: unsafe covey_mhd_socket(handle),
                from: unsafe IPAddress(of: covey_mhd_client(handle)))
            unsafe slot.pointee = unsafe Unmanaged.passRetained(connection).toOpaque()
        } else if let kept = unsafe slot.pointee {
            shop.ledger.close(unsafe Unmanaged<Connection>.fromOpaque(kept).takeRetainedValue())
            unsafe slot.pointee = nil
        }
    }

    /// Called once with the headers, then again until the request's body is read.
    static func answer(
        _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?,
        path: UnsafePointer<CChar>?, method: UnsafePointer<CChar>?,
        bodySize: UnsafeMutablePointer<Int>?,
        slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> MHD_Result {
        guard let context = unsafe context, let handle = unsafe handle, let path = unsafe path,
            let method = unsafe method, let bodySize = unsafe bodySize, let slot = unsafe slot,
            let connection = unsafe connection(of: handle)
        else { return covey_mhd_no }
        let shop = unsafe Unmanaged<Shop>.fromOpaque(context).takeUnretainedValue()
        if unsafe slot.pointee == nil {
            unsafe slot.pointee = context
            connection.begin(until: .now.advanced(bySeconds: shop.limits.secondsToFetch))
            // An answer at the first call would close the connection. So it is only given where
            // that is welcome: to those who send a body, which nothing here asks for.
            guard unsafe hasBody(handle) else { return covey_mhd_yes }
            return unsafe shop.send(.refusingBody, to: handle)
        }
        // Nothing is expected here; what comes nevertheless is dropped.
        guard unsafe bodySize.pointee == 0 else {
            unsafe bodySize.pointee = 0
            return covey_mhd_yes
        }
        let request = unsafe Request(
            handle, path: String(cString: path), method: String(cString: method),
            peer: connection.peer)
        return unsafe shop.send(shop.response(to: request, on: connection), to: handle)
    }

    /// An answer was sent, or the client went away.
    static func completed(_ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?) {
        guard let context = unsafe context, let handle = unsafe handle else { return }
        let shop = unsafe Unmanaged<Shop>.fromOpaque(context).takeUnretainedValue()
        unsafe connection(of: handle)?
            .end(nextRequestUntil: .now.advanced(bySeconds: shop.limits.secondsToAsk))
    }

    // MARK: Answers

    private func response(to request: Request, on connection: Connection) -> Response {
        switch connection.admission {
        case .tooMany: return .refusing(.serviceUnavailable, "too many connections")
        case .tooManyFromThere:
            return .refusing(.tooManyRequests, "too many connections from your address")
        case .welcome:
            var response = answer(request)
            if isClosing.load(ordering: .relaxed) { response.closesConnection = true }
            return response
        }
    }

    private func send(_ response: Response, to handle: OpaquePointer) -> MHD_Result {
        guard let body = unsafe unspent(response.body) else { return covey_mhd_no }
        defer { unsafe MHD_destroy_response(body) }
        for header in response.headers {
            unsafe MHD_add_response_header(body, header.name, header.value)
        }
        if response.closesConnection {
            unsafe MHD_add_response_header(body, "Connection", "close")
        }
        return unsafe MHD_queue_response(handle, UInt32(response.status.rawValue), body)
    }

    /// A response in libmicrohttpd's hands, which lets go of the payload once it is sent.
    private func unspent(_ payload: Payload?) -> OpaquePointer? {
        guard let payload, payload.count > 0 else {
            return unsafe MHD_create_response_from_buffer(0, nil, covey_mhd_persistent)
        }
        let retained = unsafe Unmanaged.passRetained(payload)
        let response = unsafe MHD_create_response_from_buffer_with_free_callback_cls(
            payload.count, payload.address,
            { kept in
                guard let kept = unsafe kept else { return }
                unsafe Unmanaged<Payload>.fromOpaque(kept).release()
            },
            unsafe retained.toOpaque())
        if unsafe response == nil { unsafe retained.release() }
        return unsafe response
    }

    private static func connection(of handle: OpaquePointer) -> Connection? {
        unsafe covey_mhd_socket_context(handle).map {
            unsafe Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue()
        }
    }

    private static func hasBody(_ handle: OpaquePointer) -> Bool {
        if unsafe lookUp("Transfer-Encoding", in: handle) != nil { return true }
        return unsafe lookUp("Content-Length", in: handle).map { $0 != "0" } ?? false
    }

    static func lookUp(_ name: String, in handle: OpaquePointer) -> String? {
        unsafe MHD_lookup_connection_value(handle, covey_mhd_header, name).map {
            unsafe String(cString: $0)
        }
    }
}

extension Response {
    /// A refusal that ends the connection, with its reason as JSON.
    fileprivate static func refusing(_ status: Status, _ reason: String) -> Response {
        var response = Response(
            status,
            headers: [Header("Content-Type", "application/json"), Header("Retry-After", "1")],
            body: Payload(#"{"error":"\#(reason)"}"#))
        response.closesConnection = true
        return response
    }

    fileprivate static var refusingBody: Response {
        refusing(.contentTooLarge, "requests have no body here")
    }
}
