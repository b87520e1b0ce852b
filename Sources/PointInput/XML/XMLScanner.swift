/// A streaming reader of XML that goes from tag to tag and keeps nothing but where it stands.
///
/// It checks that the text is well-formed as far as a data format needs: tags match, one root,
/// attributes once and quoted, known entities only. It expands the five entities that XML defines and
/// character references; a document's own entities are refused, so none can blow up. What it holds
/// is bounded by `Limit`, whatever the document's length.
package struct XMLScanner {
    /// What the scanner has come to.
    package enum Tag: Equatable { case start, end, endOfDocument }

    package struct Attribute: Equatable, Sendable {
        package var name: String
        package var value: String
    }

    /// Bounds that no honest document of data comes near.
    package enum Limit {
        static let depth = 128
        static let name = 1 << 10
        static let text = 16 << 20
        static let attributes = 256
    }

    /// The tag's name as it is written, prefix included.
    package private(set) var name = ""
    /// The tag's name without its prefix.
    private(set) var localName = ""
    package private(set) var attributes: [Attribute] = []
    /// The character data between the tag before and this one, with entities expanded.
    package private(set) var text: [UInt8] = []
    /// The names of the elements that are open; a start tag's own is the last.
    package private(set) var openElements: [String] = []
    /// The line the scanner has come to, from 1.
    package var line: Int { bytes.line }
    package var offset: Int { bytes.offset }

    var bytes: XMLBytes
    private var names = XMLNames()
    /// Room for the name at hand.
    private var spelling: [UInt8] = []
    private var hasRoot = false
    /// An element that is empty by `/>` owes its end tag.
    private var owesEnd = false

    /// Reads what `pull` appends to the array that it is given, until it appends nothing.
    package init(pull: @escaping (inout [UInt8]) throws(XMLFault) -> Void) {
        bytes = XMLBytes(pull: pull)
    }

    /// Goes to the next tag.
    package mutating func next() throws(XMLFault) -> Tag {
        if !text.isEmpty { text.removeAll(keepingCapacity: true) }
        if owesEnd {
            owesEnd = false
            return close()
        }
        if bytes.offset == 0 { try skipByteOrderMark() }
        while let byte = try bytes.next() {
            guard byte == UInt8(ascii: "<") else {
                try readCharacter(byte)
                continue
            }
            switch try bytes.required() {
            case UInt8(ascii: "!"): try readDeclaration()
            case UInt8(ascii: "?"): try readInstruction()
            case UInt8(ascii: "/"): return try readEndTag()
            case let first: return try readStartTag(first)
            }
        }
        guard let element = openElements.last else {
            guard hasRoot else { throw .noRoot }
            try requireBlankOutside()
            return .endOfDocument
        }
        throw .truncated(inside: element)
    }
}

extension XMLScanner {
    private mutating func close() -> Tag {
        name = openElements.removeLast()
        if !attributes.isEmpty { attributes.removeAll(keepingCapacity: true) }
        return .end
    }

    private mutating func readEndTag() throws(XMLFault) -> Tag {
        let closed = try readName(try bytes.required())
        guard let open = openElements.last, open == closed.full else {
            throw .mismatchedTag(expected: openElements.last, found: closed.full)
        }
        localName = closed.local
        try expect(UInt8(ascii: ">"), pastBlanks: true)
        return close()
    }

    private mutating func readStartTag(_ first: UInt8) throws(XMLFault) -> Tag {
        if openElements.isEmpty {
            try requireBlankOutside()
            guard !hasRoot else { throw .secondRoot }
            hasRoot = true
        }
        guard openElements.count < Limit.depth else { throw .tooDeep(Limit.depth) }
        let read = try readName(first)
        (name, localName) = (read.full, read.local)
        openElements.append(name)
        if !attributes.isEmpty { attributes.removeAll(keepingCapacity: true) }
        while true {
            switch try bytes.requiredPastBlanks() {
            case UInt8(ascii: ">"): return .start
            case UInt8(ascii: "/"):
                try expect(UInt8(ascii: ">"))
                owesEnd = true
                return .start
            case let first: try readAttribute(first)
            }
        }
    }

    private mutating func readAttribute(_ first: UInt8) throws(XMLFault) {
        let name = try readName(first).full
        try expect(UInt8(ascii: "="), pastBlanks: true)
        let quote = try bytes.requiredPastBlanks()
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw .unexpected(quote, wanted: "a quoted value")
        }
        var value: [UInt8] = []
        while true {
            let byte = try bytes.required()
            if byte == quote { break }
            switch byte {
            case UInt8(ascii: "<"): throw .unexpected(byte, wanted: "a quote")
            case UInt8(ascii: "&"): value += try readReference().utf8
            case 0x09, 0x0A, 0x0D: value.append(0x20)
            default: value.append(byte)
            }
            guard value.count <= Limit.text else { throw .tooLong("attribute \(name)") }
        }
        guard !attributes.contains(where: { $0.name == name }) else {
            throw .repeatedAttribute(name)
        }
        guard attributes.count < Limit.attributes else {
            throw .tooLong("list of attributes")
        }
        attributes.append(Attribute(name: name, value: try utf8(value)))
    }

    private mutating func readName(_ first: UInt8) throws(XMLFault) -> XMLNames.Name {
        guard Self.startsName(first) else { throw .unexpected(first, wanted: "a name") }
        spelling.removeAll(keepingCapacity: true)
        spelling.append(first)
        while let byte = try bytes.peek(), Self.continuesName(byte) {
            bytes.takeName(into: &spelling)
            guard spelling.count <= Limit.name else { throw .tooLong("name") }
        }
        return try names.name(spelled: spelling)
    }

    private mutating func readCharacter(_ byte: UInt8) throws(XMLFault) {
        switch byte {
        case UInt8(ascii: "&"): text += try readReference().utf8
        // XML 1.0, 2.11: a line ends with LF, however it was written.
        case 0x0D: if try bytes.peek() != 0x0A { text.append(0x0A) }
        default:
            text.append(byte)
            bytes.takeText(into: &text)
        }
        guard text.count <= Limit.text else { throw .tooLong("text") }
    }

    /// `<!--`, `<![CDATA[` or `<!DOCTYPE`.
    private mutating func readDeclaration() throws(XMLFault) {
        switch try bytes.required() {
        case UInt8(ascii: "-"):
            try expect(UInt8(ascii: "-"))
            try skip(to: "-->") { _ in }
        case UInt8(ascii: "["):
            for byte in "CDATA[".utf8 { try expect(byte) }
            var data: [UInt8] = []
            try skip(to: "]]>") { data.append($0) }
            text += data
            guard text.count <= Limit.text else { throw .tooLong("text") }
        case UInt8(ascii: "D") where !hasRoot: try skipDocumentType()
        case let byte: throw .unexpected(byte, wanted: "a comment or CDATA")
        }
    }

    /// The document type says nothing that data needs; its entities stay unknown.
    private mutating func skipDocumentType() throws(XMLFault) {
        var brackets = 0
        while true {
            switch try bytes.required() {
            case UInt8(ascii: "["), UInt8(ascii: "<"): brackets += 1
            case UInt8(ascii: "]"): brackets -= 1
            case UInt8(ascii: ">"):
                if brackets <= 0 { return }
                brackets -= 1
            case let quote where quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"):
                while try bytes.required() != quote {}
            default: break
            }
        }
    }

    private mutating func readInstruction() throws(XMLFault) {
        let isFirst = bytes.offset <= 5
        var content: [UInt8] = []
        try skip(to: "?>") { if content.count < 1_024 { content.append($0) } }
        guard isFirst, content.starts(with: "xml".utf8) else { return }
        let declaration = String(decoding: content, as: UTF8.self)
        guard let encoding = XMLEncoding.declared(in: declaration) else { return }
        guard XMLEncoding.isReadable(encoding) else { throw .unknownEncoding(encoding) }
    }

    /// Skips past `mark` and hands over the bytes before it.
    private mutating func skip(to mark: String, each: (UInt8) -> Void) throws(XMLFault) {
        let mark = Array(mark.utf8)
        var held: [UInt8] = []
        var count = 0
        while true {
            held.append(try bytes.required())
            count += 1
            guard count <= Limit.text else { throw .tooLong("comment or CDATA") }
            if held.count > mark.count { each(held.removeFirst()) }
            if held == mark { return }
        }
    }

    private mutating func skipByteOrderMark() throws(XMLFault) {
        guard let first = try bytes.peek(), first == 0xEF || first >= 0xFE || first == 0 else {
            return
        }
        bytes.skip()
        let second = try bytes.next()
        if first != 0xEF { throw .unknownEncoding("UTF-16 or UTF-32") }
        let third = try bytes.next()
        guard second == 0xBB, third == 0xBF else { throw .notUTF8 }
    }

    private mutating func expect(_ wanted: UInt8, pastBlanks: Bool = false) throws(XMLFault) {
        let found = try pastBlanks ? bytes.requiredPastBlanks() : bytes.required()
        guard wanted == found else {
            throw .unexpected(found, wanted: String(UnicodeScalar(wanted)))
        }
    }
}
