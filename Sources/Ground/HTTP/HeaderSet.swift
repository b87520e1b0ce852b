import CMicrohttpd

/// Headers that many answers share, in the form that libmicrohttpd takes.
@safe
public final class HeaderSet: Sendable {
    public let headers: [Response.Header]
    // C strings, a name and its value in turn; never written after `init`.
    nonisolated(unsafe) private let texts: UnsafeMutableBufferPointer<UnsafePointer<CChar>?>

    public init(_ headers: [Response.Header]) {
        self.headers = headers
        unsafe texts = .allocate(capacity: 2 * headers.count)
        for (index, text) in headers.flatMap({ [$0.name, $0.value] }).enumerated() {
            unsafe texts.initializeElement(at: index, to: UnsafePointer(strdup(text)))
        }
    }

    deinit {
        unsafe texts.forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) }
        unsafe texts.deallocate()
    }

    func add(to response: OpaquePointer) {
        unsafe covey_mhd_add_headers(response, texts.baseAddress, texts.count)
    }
}
