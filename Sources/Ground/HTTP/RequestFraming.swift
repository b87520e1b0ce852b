/// Where a request begins and ends, read strictly (RFC 9112): whatever a proxy in front of the
/// server might read differently is an error, because two readings of one stream of bytes let a
/// client smuggle a request past the proxy.
///
/// libmicrohttpd is more lenient. It leaves a head where it was received and puts a NUL at the end
/// of each part, so each part must begin right after the one before: one byte more or less
/// indicates a bare line feed, a NUL, or a folded line. Only a NUL right before a bare line feed
/// leaves the same bytes as a valid line end, and is accepted as one.
package struct RequestFraming {
    /// The first error.
    private(set) var fault: String?
    /// Whether a body follows the head.
    private(set) var hasBody = false
    private var hosts = 0
    private var lengths = 0
    private var encodings = 0
    /// The address at which the next line must begin; nil if that is unknown.
    private var next: UInt?

    /// - Parameter end: the address after the request line's last byte; nil if parts of the head
    ///   may not be where they were received.
    init(requestLineEnd end: UInt?) { next = end.map { $0 &+ Self.lineEnd } }

    /// The bytes between a line and the next: CR, LF.
    private static let lineEnd: UInt = 2

    /// Checks the next header.
    /// - Parameter address: the address of the name.
    mutating func take(name: Span<UInt8>, value: Span<UInt8>, at address: UInt, valueAt: UInt) {
        if let next, next != address {
            note("a line of the head is folded or does not end with CR LF")
        }
        if next != nil { next = valueAt &+ UInt(value.count) &+ Self.lineEnd }
        guard Self.isToken(name) else {
            return note("a header's name is empty or has a character that is not allowed")
        }
        guard Self.isPlain(value) else {
            return note("a header's value has a control character")
        }
        switch name.count {
        case 4 where Self.isSame(name, "host"):
            hosts += 1
            if !Authority.isValid(value) { note("the Host header is not a valid host") }
        case 14 where Self.isSame(name, "content-length"): takeLength(value)
        case 17 where Self.isSame(name, "transfer-encoding"): takeEncoding(value)
        default: break
        }
    }

    /// Checks the end of the head.
    /// - Parameters:
    ///   - end: the address after the head's last byte.
    ///   - needsHost: whether the request must have a `Host` header; all but those of HTTP/1.0 must.
    mutating func finish(at end: UInt, needsHost: Bool) {
        if let next, next &+ Self.lineEnd != end {
            note("a line of the head is folded or does not end with CR LF")
        }
        if hosts > 1 { note("there are two Host headers") }
        if hosts == 0, needsHost { note("there is no Host header") }
        if lengths > 1 { note("there are two Content-Length headers") }
        if encodings > 1 { note("there are two Transfer-Encoding headers") }
        if lengths > 0, encodings > 0 {
            note("there are both Content-Length and Transfer-Encoding headers")
        }
    }

    mutating func note(_ fault: String) { self.fault = self.fault ?? fault }

    /// Takes a length, which is digits only (RFC 9110, 8.6).
    private mutating func takeLength(_ value: Span<UInt8>) {
        lengths += 1
        var isZero = true
        for index in value.indices {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(value[index]) else {
                return note("Content-Length is not a number")
            }
            if value[index] != UInt8(ascii: "0") { isZero = false }
        }
        guard value.count > 0 else { return note("Content-Length is not a number") }
        if !isZero { hasBody = true }
    }

    /// Takes an encoding; only one says where a body ends (RFC 9112, 6.1).
    private mutating func takeEncoding(_ value: Span<UInt8>) {
        encodings += 1
        hasBody = true
        if !Self.isSame(value, "chunked") { note("Transfer-Encoding is not chunked") }
    }
}

extension RequestFraming {
    /// Whether a text is a token: at least one letter, digit or one of a few characters (RFC 9110, 5.6.2).
    package static func isToken(_ text: Span<UInt8>) -> Bool {
        // A bit for each allowed byte, from 0x00 and from 0x40 on.
        let (low, high): (UInt64, UInt64) = (0x03FF_6CFA_0000_0000, 0x57FF_FFFF_C7FF_FFFE)
        var isGood = text.count > 0
        for index in text.indices {
            let byte = text[index]
            let bits = byte < 64 ? low : byte < 128 ? high : 0
            isGood = isGood && bits >> UInt64(byte & 63) & 1 != 0
        }
        return isGood
    }

    /// Whether a text has no control character except the tab (RFC 9110, 5.5).
    package static func isPlain(_ text: Span<UInt8>) -> Bool {
        var bad: UInt8 = 0
        for index in text.indices {
            let byte = text[index]
            bad |= (byte < 0x20 && byte != 9) || byte == 0x7F ? 1 : 0
        }
        return bad == 0
    }

    /// Whether a text is a word, ignoring case.
    /// - Parameter word: the word in lower case, of letters and dashes.
    static func isSame(_ text: Span<UInt8>, _ word: StaticString) -> Bool {
        guard text.count == word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { word in
            var isSame = true
            for index in text.indices {
                let byte = text[index]
                let isLetter = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                let isEqual = unsafe (isLetter ? byte | 0x20 : byte) == word[index]
                isSame = isSame && isEqual
            }
            return isSame
        }
    }
}
