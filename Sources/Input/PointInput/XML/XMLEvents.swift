import CExpat

/// What expat tells of a document, as it tells it: tags and the characters between them.
@safe
struct XMLEvents {
    private(set) var tags = XMLTags()
    /// The elements that are open.
    private(set) var open: [XMLName] = []
    /// Whether the root element has come to its end.
    private(set) var isRootClosed = false
    /// The encoding that the document declares.
    private(set) var encoding: String?
    /// The limit that the document goes past.
    private(set) var fault: XMLFault?

    private let parser: XML_Parser
    private var names = XMLNames()
    /// Expat may go on telling for a moment after it was stopped.
    private var isStopped = false

    /// Has the parser call its user data of the time, set by `XMLParser.parse`.
    init(of parser: XML_Parser) {
        unsafe self.parser = parser
        unsafe XML_SetElementHandler(
            parser, { unsafe XMLEvents.at($0).pointee.start($1, $2) },
            { events, _ in unsafe XMLEvents.at(events).pointee.end() })
        unsafe XML_SetCharacterDataHandler(parser) { unsafe XMLEvents.at($0).pointee.add($1, $2) }
        unsafe XML_SetXmlDeclHandler(parser) { events, _, encoding, _ in
            unsafe XMLEvents.at(events).pointee.encoding = encoding.map {
                unsafe String(cString: $0)
            }
        }
    }

    /// Gives the tags that were found for others, which are forgotten.
    mutating func exchangeTags(for room: inout XMLTags) { swap(&tags, &room) }

    private static func at(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<XMLEvents> {
        guard let context = unsafe context else { preconditionFailure("expat forgot its owner") }
        return unsafe context.assumingMemoryBound(to: XMLEvents.self)
    }

    private var line: Int { Int(unsafe XML_GetCurrentLineNumber(parser)) }

    private mutating func start(
        _ name: UnsafePointer<XML_Char>?,
        _ pairs: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
    ) {
        guard !isStopped, let name = unsafe names.name(name) else { return }
        guard open.count < XMLScanner.Limit.depth else { return stop(.tooDeep(open.count)) }
        open.append(name)
        var count = 0
        while let key = unsafe names.name(pairs?[2 * count]),
            let value = unsafe pairs?[2 * count + 1]
        {
            guard count < XMLScanner.Limit.attributes else {
                return stop(.tooLong("list of attributes"))
            }
            tags.append(attribute: .init(name: key.full, value: unsafe String(cString: value)))
            count += 1
        }
        tags.append(name, isStart: true, line: line, attributes: count)
    }

    private mutating func end() {
        guard !isStopped, let name = open.popLast() else { return }
        isRootClosed = open.isEmpty
        tags.append(name, isStart: false, line: line)
    }

    private mutating func add(_ text: UnsafePointer<XML_Char>?, _ count: Int32) {
        guard !isStopped else { return }
        unsafe tags.append(text: UnsafeRawBufferPointer(start: text, count: Int(count)))
        if tags.openTextCount > XMLScanner.Limit.text { stop(.tooLong("text")) }
    }

    private mutating func stop(_ fault: XMLFault) {
        self.fault = fault
        isStopped = true
        unsafe XML_StopParser(parser, 0)
    }
}
