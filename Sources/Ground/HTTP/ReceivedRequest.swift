import CLibrary
import CMicrohttpd

/// A request as libmicrohttpd holds it; valid during one of its callbacks.
@safe
struct ReceivedRequest {
    private let handle: OpaquePointer
    private let methodText: UnsafePointer<CChar>
    private let pathText: UnsafePointer<CChar>
    private let versionText: UnsafePointer<CChar>
    /// The connection of the request.
    let connection: Connection

    init?(
        _ handle: OpaquePointer?, path: UnsafePointer<CChar>?, method: UnsafePointer<CChar>?,
        version: UnsafePointer<CChar>?
    ) {
        guard let handle = unsafe handle, let path = unsafe path, let method = unsafe method,
            let version = unsafe version, let connection = unsafe Connection.of(handle)
        else { return nil }
        unsafe (self.handle, pathText, methodText, versionText) = (handle, path, method, version)
        self.connection = connection
    }

    // MARK: The request line

    var method: Span<UInt8> {
        @_lifetime(borrow self)
        get { unsafe span(methodText, strlen(methodText)) }
    }

    /// The path as it was sent, with percent-escapes and without the query.
    var path: Span<UInt8> {
        @_lifetime(borrow self)
        get { unsafe span(pathText, strlen(pathText)) }
    }

    /// Whether the version is HTTP/1.0, which does not require `Host`.
    var isOld: Bool { unsafe versionText[7] == CChar(0x30) }

    var methodAddress: UInt { unsafe UInt(bitPattern: methodText) }
    var pathAddress: UInt { unsafe UInt(bitPattern: pathText) }
    var versionAddress: UInt { unsafe UInt(bitPattern: versionText) }

    /// The length of the request line and the headers together.
    var headLength: Int { unsafe covey_mhd_head_length(handle) }

    var query: [Request.QueryItem] {
        var items: [Request.QueryItem] = []
        unsafe withUnsafeMutablePointer(to: &items) { items in
            _ = unsafe MHD_get_connection_values(
                handle, covey_mhd_argument,
                { items, _, name, value in
                    let item = unsafe Request.QueryItem(
                        name: name.map { unsafe String(cString: $0) } ?? "",
                        value: value.map { unsafe String(cString: $0) } ?? "")
                    unsafe items?.assumingMemoryBound(to: [Request.QueryItem].self).pointee
                        .append(item)
                    return covey_mhd_yes
                }, items)
        }
        return items
    }

    // MARK: Headers

    /// The value of a header; those of several lines with one name are one list (RFC 9110, 5.3).
    func header(_ name: StaticString) -> String? {
        var lines = HeaderLines(name: name)
        unsafe withUnsafeMutablePointer(to: &lines) { lines in
            _ = unsafe MHD_get_connection_values_n(
                handle, covey_mhd_header,
                { lines, _, name, nameLength, value, valueLength in
                    unsafe lines?.assumingMemoryBound(to: HeaderLines.self).pointee.take(
                        name: Span(
                            _unsafeBytes: UnsafeRawBufferPointer(start: name, count: nameLength)),
                        value: Span(
                            _unsafeBytes: UnsafeRawBufferPointer(start: value, count: valueLength)))
                    return covey_mhd_yes
                }, lines)
        }
        return lines.joined
    }

    /// The bytes of a header's value; empty if there is no such header.
    @_lifetime(borrow self)
    func bytes(of name: StaticString) -> Span<UInt8> {
        var length = 0
        let start = unsafe value(of: name, &length)
        return unsafe span(start, length)
    }

    func hasHeader(_ name: StaticString) -> Bool {
        var length = 0
        return unsafe value(of: name, &length) != nil
    }

    @unsafe
    private func value(of name: StaticString, _ length: inout Int) -> UnsafePointer<CChar>? {
        unsafe covey_mhd_value(handle, name.utf8Start, name.utf8CodeUnitCount, &length)
    }

    /// Passes all headers to `framing`, in the order in which they came.
    func show(to framing: inout RequestFraming) {
        unsafe withUnsafeMutablePointer(to: &framing) { framing in
            _ = unsafe MHD_get_connection_values_n(
                handle, covey_mhd_header,
                { framing, _, name, nameLength, value, valueLength in
                    // A header without a value gets an empty one, after its colon.
                    guard let name = unsafe name else { return covey_mhd_no }
                    let text = unsafe value ?? name + nameLength + 1
                    unsafe framing?.assumingMemoryBound(to: RequestFraming.self).pointee.take(
                        name: Span(
                            _unsafeBytes: UnsafeRawBufferPointer(start: name, count: nameLength)),
                        value: Span(
                            _unsafeBytes: UnsafeRawBufferPointer(start: text, count: valueLength)),
                        at: UInt(bitPattern: name), valueAt: UInt(bitPattern: text))
                    return covey_mhd_yes
                }, framing)
        }
    }

    @_lifetime(borrow self)
    @unsafe
    private func span(_ start: UnsafePointer<CChar>?, _ count: Int) -> Span<UInt8> {
        let span = unsafe Span<UInt8>(
            _unsafeBytes: UnsafeRawBufferPointer(start: start, count: count))
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    // MARK: The answer

    /// Lets the request rest until `Resting.resume`.
    func rest() -> Resting {
        unsafe MHD_suspend_connection(handle)
        return unsafe Resting(handle: handle)
    }

    /// A request that rests; libmicrohttpd keeps it, and does not look at it.
    @safe
    struct Resting: @unchecked Sendable {
        fileprivate let handle: OpaquePointer

        /// Lets libmicrohttpd call for the answer.
        func resume() { unsafe MHD_resume_connection(handle) }
    }

    /// Queues an answer to be sent.
    func send(_ response: Response) -> MHD_Result {
        guard let body = unsafe Self.unspent(response.body) else { return covey_mhd_no }
        defer { unsafe MHD_destroy_response(body) }
        unsafe covey_mhd_forbid_sniffing(body)
        if let tag = response.tag {
            unsafe covey_mhd_add_tag(body, tag.mark, CChar(tag.letter.value))
        }
        if let common = response.common { unsafe common.add(to: body) }
        var headers = response.headers
        if response.closesConnection { headers.append(.init("Connection", "close")) }
        for header in headers {
            unsafe MHD_add_response_header(body, header.name, header.value)
        }
        return unsafe MHD_queue_response(handle, UInt32(response.status.rawValue), body)
    }

    /// A response for libmicrohttpd, which releases the payload once it is sent.
    private static func unspent(_ payload: Payload?) -> OpaquePointer? {
        guard let payload, payload.count > 0 else {
            return unsafe MHD_create_response_from_buffer(0, nil, covey_mhd_persistent)
        }
        if let file = payload.file {
            // libmicrohttpd closes its descriptor when the response is done.
            let own = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
            guard own >= 0 else { return nil }
            return unsafe MHD_create_response_from_fd_at_offset64(
                UInt64(file.range.count), own, UInt64(file.range.lowerBound))
        }
        let retained = unsafe Unmanaged.passRetained(payload)
        let response = unsafe MHD_create_response_from_buffer_with_free_callback_cls(
            payload.count, payload.address,
            { unsafe $0.map { unsafe Unmanaged<Payload>.fromOpaque($0).release() } },
            unsafe retained.toOpaque())
        if unsafe response == nil { unsafe retained.release() }
        return unsafe response
    }
}

extension Connection {
    /// The state that is kept of a connection of libmicrohttpd.
    static func of(_ handle: OpaquePointer) -> Connection? {
        unsafe covey_mhd_socket_context(handle).map {
            unsafe Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue()
        }
    }
}

extension String {
    /// Text as it was sent; ill-formed UTF-8 is replaced.
    init(_ bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
