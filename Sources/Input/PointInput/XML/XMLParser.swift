import CExpat

/// Expat, and what it makes of the bytes that it is given.
@safe
final class XMLParser {
    /// What ends the document, behind the tags that were found.
    private(set) var fault: XMLFault?
    private(set) var isDone = false

    private let parser: XML_Parser
    private var events: XMLEvents
    private var byteCount = 0

    init() {
        guard let parser = unsafe XML_ParserCreate(nil) else { fatalError("out of memory") }
        unsafe self.parser = parser
        // An entity may stand for a few others, never for a laugh of billions.
        unsafe XML_SetBillionLaughsAttackProtectionMaximumAmplification(parser, 10)
        unsafe XML_SetBillionLaughsAttackProtectionActivationThreshold(parser, 1 << 20)
        // There is no handler for external entities, so none is read.
        unsafe events = XMLEvents(of: parser)
    }

    deinit { unsafe XML_ParserFree(parser) }

    /// The line that the parser has come to.
    var line: Int { Int(unsafe XML_GetCurrentLineNumber(parser)) }

    /// Parses the next bytes, none at the document's end, and puts the tags that they complete in
    /// the place of those in `tags`.
    func parse(_ bytes: [UInt8], into tags: inout XMLTags) {
        tags.removeTags()
        events.exchangeTags(for: &tags)
        byteCount += bytes.count
        // Expat knows the events by their address, which holds until it returns.
        let status = unsafe withUnsafeMutablePointer(to: &events) { events in
            unsafe XML_SetUserData(parser, events)
            return unsafe bytes.withUnsafeBytes { bytes in
                unsafe XML_Parse(
                    parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                    Int32(bytes.count), bytes.isEmpty ? 1 : 0)
            }
        }
        events.exchangeTags(for: &tags)
        if status != XML_STATUS_OK {
            fault = events.fault ?? describedFault()
        } else if bytes.isEmpty {
            isDone = true
        } else if byteCount - Int(unsafe XML_GetCurrentByteIndex(parser)) > XMLScanner.Limit.tag {
            fault = .tooLong("tag or comment")
        }
    }

    // MARK: Faults

    private func describedFault() -> XMLFault {
        let code = unsafe XML_GetErrorCode(parser)
        switch code {
        case XML_ERROR_NO_ELEMENTS:
            return (events.open.last?.full).map { .truncated(inside: $0) } ?? .noRoot
        case XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR, XML_ERROR_UNCLOSED_CDATA_SECTION:
            return .truncated(inside: nil)
        case XML_ERROR_TAG_MISMATCH:
            return .mismatchedTag(expected: events.open.last?.full, found: word(past: ["<", "/"]))
        case XML_ERROR_DUPLICATE_ATTRIBUTE: return .repeatedAttribute(word(past: []))
        case XML_ERROR_UNDEFINED_ENTITY, XML_ERROR_BAD_CHAR_REF:
            return .unknownEntity(word(past: ["&"]))
        case XML_ERROR_JUNK_AFTER_DOC_ELEMENT: return .behindRoot
        // Expat's word for the same, where it has seen more of what follows.
        case XML_ERROR_INVALID_TOKEN where events.isRootClosed: return .behindRoot
        case XML_ERROR_UNKNOWN_ENCODING, XML_ERROR_INCORRECT_ENCODING:
            return .unknownEncoding(events.encoding ?? "of its bytes")
        case XML_ERROR_AMPLIFICATION_LIMIT_BREACH:
            return .tooLong("text that its entities stand for")
        case XML_ERROR_INVALID_TOKEN where (context.first ?? 0) >= 0x80: return .notUTF8
        default:
            let words = unsafe XML_ErrorString(code).map { unsafe String(cString: $0) }
            return .notWellFormed(words ?? "error \(code.rawValue)")
        }
    }

    /// The bytes from where the parser stands.
    private var context: [UInt8] {
        var offset: Int32 = 0
        var count: Int32 = 0
        guard let start = unsafe XML_GetInputContext(parser, &offset, &count), offset < count,
            offset >= 0
        else { return [] }
        let rest = unsafe UnsafeRawBufferPointer(
            start: start + Int(offset), count: Int(count - offset))
        return unsafe Array(rest.prefix(100))
    }

    /// The name at which the parser stands, behind some signs.
    private func word(past signs: [Unicode.Scalar]) -> String {
        let signs = signs.map { UInt8(ascii: $0) }
        let ends = [" ", "\t", "\n", "\r", ";", ">", "=", "/", "<"].map {
            (sign: Unicode.Scalar) in UInt8(ascii: sign)
        }
        let word = context.drop { signs.contains($0) }.prefix { !ends.contains($0) }
        return String(decoding: word, as: UTF8.self)
    }
}
