import CExpat

/// Expat, and the tags that it found in the bytes it was last given.
@safe
final class XMLParser {
    struct Tag {
        var isStart: Bool
        var name: XMLNames.Name
        var line: Int
        /// Where the characters in front of the tag end in `texts`.
        var textEnd: Int
        var attributes = 0..<0
    }

    private(set) var tags: [Tag] = []
    private(set) var texts: [UInt8] = []
    private(set) var attributes: [XMLScanner.Attribute] = []
    /// What ends the document, behind the tags at hand.
    private(set) var fault: XMLFault?
    private(set) var isDone = false

    private let parser: XML_Parser
    private var names = XMLNames()
    /// The elements that are open.
    private var open: [String] = []
    private var byteCount = 0
    /// The encoding that the document declares.
    private var encoding: String?

    init() {
        guard let parser = unsafe XML_ParserCreate(nil) else { fatalError("out of memory") }
        unsafe self.parser = parser
        // An entity may stand for a few others, never for a laugh of billions.
        unsafe XML_SetBillionLaughsAttackProtectionMaximumAmplification(parser, 10)
        unsafe XML_SetBillionLaughsAttackProtectionActivationThreshold(parser, 1 << 20)
        // Nobody answers for external entities, so none is read.
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        unsafe XML_SetElementHandler(
            parser, { unsafe XMLParser.of($0).start($1, $2) }, { unsafe XMLParser.of($0).end($1) })
        unsafe XML_SetCharacterDataHandler(parser) { unsafe XMLParser.of($0).addText($1, $2) }
        unsafe XML_SetXmlDeclHandler(parser) { context, _, encoding, _ in
            guard let encoding = unsafe encoding else { return }
            unsafe XMLParser.of(context).encoding = String(cString: encoding)
        }
    }

    deinit { unsafe XML_ParserFree(parser) }

    /// The line that the parser has come to.
    var line: Int { Int(unsafe XML_GetCurrentLineNumber(parser)) }

    /// Forgets the tags at hand; the characters behind the last one belong to the next.
    func forgetTags() {
        texts.removeSubrange(..<(tags.last?.textEnd ?? 0))
        tags.removeAll(keepingCapacity: true)
        attributes.removeAll(keepingCapacity: true)
    }

    /// Parses the next bytes; none say that the document ends.
    func parse(_ bytes: [UInt8]) {
        byteCount += bytes.count
        let status = unsafe bytes.withUnsafeBytes { bytes in
            unsafe XML_Parse(
                parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(bytes.count), bytes.isEmpty ? 1 : 0)
        }
        if status != XML_STATUS_OK {
            fault = fault ?? describedFault()
        } else if bytes.isEmpty {
            isDone = true
        } else if byteCount - Int(unsafe XML_GetCurrentByteIndex(parser)) > XMLScanner.Limit.text {
            fault = .tooLong("tag or comment")
        }
    }

    // MARK: What expat tells

    private static func of(_ context: UnsafeMutableRawPointer?) -> XMLParser {
        guard let context = unsafe context else { preconditionFailure("expat forgot its owner") }
        return unsafe Unmanaged<XMLParser>.fromOpaque(context).takeUnretainedValue()
    }

    private func start(
        _ name: UnsafePointer<XML_Char>?,
        _ pairs: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
    ) {
        guard fault == nil, let name = unsafe names.name(name) else { return }
        guard open.count < XMLScanner.Limit.depth else { return stop(.tooDeep(open.count)) }
        open.append(name.full)
        let first = attributes.count
        var index = 0
        while let name = unsafe pairs?[index], let value = unsafe pairs?[index + 1] {
            guard index < 2 * XMLScanner.Limit.attributes else {
                return stop(.tooLong("list of attributes"))
            }
            unsafe attributes.append(
                .init(name: names.name(name)?.full ?? "", value: String(cString: value)))
            index += 2
        }
        tags.append(
            Tag(
                isStart: true, name: name, line: line, textEnd: texts.count,
                attributes: first..<attributes.count))
    }

    private func end(_ name: UnsafePointer<XML_Char>?) {
        guard fault == nil, let name = unsafe names.name(name) else { return }
        open.removeLast()
        tags.append(Tag(isStart: false, name: name, line: line, textEnd: texts.count))
    }

    private func addText(_ text: UnsafePointer<XML_Char>?, _ count: Int32) {
        guard fault == nil else { return }
        unsafe texts.append(
            contentsOf: UnsafeRawBufferPointer(start: text, count: Int(count)))
        let start = tags.last?.textEnd ?? 0
        if texts.count - start > XMLScanner.Limit.text { stop(.tooLong("text")) }
    }

    private func stop(_ fault: XMLFault) {
        self.fault = fault
        unsafe XML_StopParser(parser, 0)
    }

    // MARK: Faults

    private func describedFault() -> XMLFault {
        let code = unsafe XML_GetErrorCode(parser)
        switch code {
        case XML_ERROR_NO_ELEMENTS: return open.last.map { .truncated(inside: $0) } ?? .noRoot
        case XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR, XML_ERROR_UNCLOSED_CDATA_SECTION:
            return .truncated(inside: nil)
        case XML_ERROR_TAG_MISMATCH:
            return .mismatchedTag(expected: open.last, found: word(past: ["<", "/"]))
        case XML_ERROR_DUPLICATE_ATTRIBUTE: return .repeatedAttribute(word(past: []))
        case XML_ERROR_UNDEFINED_ENTITY, XML_ERROR_BAD_CHAR_REF:
            return .unknownEntity(word(past: ["&"]))
        case XML_ERROR_JUNK_AFTER_DOC_ELEMENT: return .secondRoot
        case XML_ERROR_UNKNOWN_ENCODING, XML_ERROR_INCORRECT_ENCODING:
            return .unknownEncoding(encoding ?? "of its bytes")
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
