import CMicrohttpd

extension RequestHandler {
    /// The answer to a request that has been read.
    @unsafe
    func response(
        to handle: OpaquePointer, path: UnsafePointer<CChar>, method: UnsafePointer<CChar>,
        on connection: Connection
    ) -> Response {
        let path = unsafe UnsafeRawBufferPointer(start: path, count: strlen(path))
        let refusal = connection.admission.refusal
        if let refusal, unsafe !isUnlimited(path) {
            return .refusing(.serviceUnavailable, refusal)
        }
        if path.count > limits.bytesPerPath { return .refusingPath(limits.bytesPerPath) }
        guard unsafe covey_mhd_head_length(handle) <= limits.bytesPerHead else {
            return .refusingHeaders(limits.bytesPerHead)
        }
        var response = unsafe answer(to: handle, path: path, method: method, on: connection)
        if refusal != nil || isClosing.load(ordering: .relaxed) { response.closesConnection = true }
        return response
    }

    @unsafe
    private func isUnlimited(_ path: UnsafeRawBufferPointer) -> Bool {
        limits.unlimitedPaths.contains(unsafe String(decoding: path, as: UTF8.self))
    }

    /// What the service says, unless it has been stopped.
    @unsafe
    private func answer(
        to handle: OpaquePointer, path: UnsafeRawBufferPointer, method: UnsafePointer<CChar>,
        on connection: Connection
    ) -> Response {
        guard answersUnderWay.begin() else { return .refusing(.serviceUnavailable, "stopped") }
        defer { answersUnderWay.end() }
        if let quick = unsafe quickResponse(to: handle, path: path, method: method) {
            return quick
        }
        return answer(
            unsafe Request(
                handle, path: String(decoding: path, as: UTF8.self),
                method: String(cString: method), peer: connection.peer))
    }

    /// The answer to a plain GET, if there is one that takes no more than its path.
    @unsafe
    private func quickResponse(
        to handle: OpaquePointer, path: UnsafeRawBufferPointer, method: UnsafePointer<CChar>
    ) -> Response? {
        guard let quickAnswer, unsafe strcmp(method, "GET") == 0 else { return nil }
        var length = 0
        guard unsafe covey_mhd_value(handle, "If-None-Match", &length) == nil else { return nil }
        let accepted = unsafe covey_mhd_value(handle, "Accept-Encoding", &length)
        let encodings = unsafe UnsafeRawBufferPointer(start: accepted, count: length)
        return unsafe quickAnswer(Span(_unsafeBytes: path), Span(_unsafeBytes: encodings))
    }

    @unsafe
    func send(_ response: Response, to handle: OpaquePointer) -> MHD_Result {
        guard let body = unsafe unspent(response.body) else { return covey_mhd_no }
        defer { unsafe MHD_destroy_response(body) }
        if let tag = response.tag {
            unsafe covey_mhd_add_tag(body, tag.mark, CChar(tag.letter.value))
        }
        if let common = response.common { unsafe common.add(to: body) }
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
}

extension Response {
    /// A refusal that ends the connection, with its reason as JSON.
    static func refusing(_ status: Status, _ reason: String) -> Response {
        var response = Response(
            status,
            headers: [Header("Content-Type", "application/json"), Header("Retry-After", "1")],
            body: Payload(#"{"error":"\#(reason)"}"#))
        response.closesConnection = true
        return response
    }

    static var refusingBody: Response {
        refusing(.contentTooLarge, "requests have no body here")
    }

    static func refusingFraming(_ fault: String) -> Response { refusing(.badRequest, fault) }

    /// What is sent to a client that is refused and has not asked anything.
    static func refusalBeforeRequest(_ reason: String) -> String {
        let body = #"{"error":"\#(reason)"}"#
        return [
            "HTTP/1.1 503 Service Unavailable", "Connection: close",
            "Content-Type: application/json", "Retry-After: 1",
            "Content-Length: \(body.utf8.count)", "", body,
        ].joined(separator: "\r\n")
    }

    fileprivate static func refusingPath(_ limit: Int) -> Response {
        refusing(.uriTooLong, "a path has at most \(limit) bytes")
    }

    fileprivate static func refusingHeaders(_ limit: Int) -> Response {
        refusing(
            .headerFieldsTooLarge, "request line and headers have at most \(limit) bytes together")
    }
}
