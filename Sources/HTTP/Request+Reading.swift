import CMicrohttpd

extension Request {
    /// Reads what libmicrohttpd holds of a request.
    init(_ handle: OpaquePointer, path: String, method: String, peer: IPAddress) {
        var headers = Headers()
        func value(_ name: String) -> String? { unsafe Self.value(of: name, in: handle) }
        headers.acceptEncoding = value("Accept-Encoding")
        headers.ifNoneMatch = value("If-None-Match")
        headers.host = value("Host")
        headers.origin = value("Origin")
        headers.forwardedFor = value("X-Forwarded-For")
        headers.forwardedHost = value("X-Forwarded-Host")
        headers.forwardedPrefix = value("X-Forwarded-Prefix")
        headers.forwardedProto = value("X-Forwarded-Proto")
        self.init(
            Method(rawValue: method) ?? .other, path, query: unsafe Self.query(of: handle),
            headers: headers, peer: peer)
    }

    private static func value(of name: String, in handle: OpaquePointer) -> String? {
        var length = 0
        guard let start = unsafe covey_mhd_value(handle, name, &length) else { return nil }
        return unsafe String(
            decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
    }

    private static func query(of handle: OpaquePointer) -> [QueryItem] {
        var items: [QueryItem] = []
        unsafe withUnsafeMutablePointer(to: &items) { items in
            _ = unsafe MHD_get_connection_values(
                handle, covey_mhd_argument,
                { items, _, name, value in
                    guard let items = unsafe items, let name = unsafe name else {
                        return covey_mhd_no
                    }
                    let item = QueryItem(
                        name: unsafe String(cString: name),
                        value: unsafe value.map { unsafe String(cString: $0) } ?? "")
                    unsafe items.assumingMemoryBound(to: [QueryItem].self).pointee.append(item)
                    return covey_mhd_yes
                }, items)
        }
        return items
    }
}
