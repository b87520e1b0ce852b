import CLibrary
import CMicrohttpd

/// A request's line and what is known of its head, as libmicrohttpd gives them at the first call.
@unsafe
struct ReceivedHead {
    let handle: OpaquePointer
    let method: UnsafePointer<CChar>
    let path: UnsafePointer<CChar>
    let version: UnsafePointer<CChar>
    /// How long the target was before it was taken apart; 0 if it has what no target may have.
    let targetLength: UInt
}

extension RequestFraming {
    /// Whether parts of a head lie as they were received. From version 1.0 on libmicrohttpd itself
    /// is strict, and takes lines apart in its own way.
    static let knowsLayout = unsafe String(cString: MHD_get_version()).hasPrefix("0.9.")

    /// Reads the head of a request.
    init(_ head: ReceivedHead) {
        let versionAddress = unsafe UInt(bitPattern: head.version)
        let versionLength: UInt = 8
        self.init(requestLineEnd: Self.knowsLayout ? versionAddress &+ versionLength : nil)
        unsafe readRequestLine(head, versionAddress: versionAddress)
        unsafe withUnsafeMutablePointer(to: &self) { framing in
            _ = unsafe MHD_get_connection_values_n(
                head.handle, covey_mhd_header,
                { framing, _, name, nameLength, value, valueLength in
                    guard let framing = unsafe framing, let name = unsafe name else {
                        return covey_mhd_no
                    }
                    // A header without a value has one of no length, behind its colon.
                    let text = unsafe value ?? name + nameLength + 1
                    unsafe framing.assumingMemoryBound(to: RequestFraming.self).pointee.take(
                        name: Span(
                            _unsafeBytes: UnsafeRawBufferPointer(start: name, count: nameLength)),
                        value: Span(
                            _unsafeBytes: UnsafeRawBufferPointer(start: text, count: valueLength)),
                        at: UInt(bitPattern: name), valueAt: UInt(bitPattern: text))
                    return covey_mhd_yes
                }, framing)
        }
        let length = unsafe covey_mhd_head_length(head.handle)
        let isOld = unsafe head.version[7] == CChar(bitPattern: UInt8(ascii: "0"))
        unsafe finish(at: UInt(bitPattern: head.method) &+ UInt(length), needsHost: !isOld)
    }

    /// Method, target and version follow one another with one space between them.
    @unsafe
    private mutating func readRequestLine(_ head: ReceivedHead, versionAddress: UInt) {
        guard unsafe head.targetLength > 0 else {
            return note("the target has a character that may not be there")
        }
        let method = unsafe UnsafeRawBufferPointer(start: head.method, count: strlen(head.method))
        guard unsafe Self.isToken(Span(_unsafeBytes: method)) else {
            return note("the method is none")
        }
        guard Self.knowsLayout else { return }
        let targetAddress = unsafe UInt(bitPattern: head.path)
        let methodEnd = unsafe UInt(bitPattern: head.method) &+ UInt(method.count)
        if unsafe methodEnd &+ 1 != targetAddress
            || targetAddress &+ head.targetLength &+ 1 != versionAddress
        {
            note("the request line has more than a method, a target and a version")
        }
    }
}
