/// A streaming reader of XML that goes from tag to tag and keeps nothing but where it stands.
///
/// Expat reads the document; this hands its tags on one by one. What both hold is bounded by `Limit`,
/// whatever the document's length and whatever its entities stand for.
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
        static let attributes = 256
        /// The characters between two tags, and the bytes of one tag or comment.
        static let text = 16 << 20
    }

    /// The tag's name as it is written, prefix included.
    package private(set) var name = ""
    /// The tag's name without its prefix.
    private(set) var localName = ""
    package private(set) var attributes: [Attribute] = []
    /// The character data between the tag before and this one, with entities expanded.
    package var text: [UInt8] { Array(parser.texts[text(of: current)]) }
    /// The names of the elements that are open; a start tag's own is the last.
    package private(set) var openElements: [String] = []
    /// The line the scanner has come to, from 1.
    package private(set) var line = 1

    private let parser: XMLParser
    private let pull: (inout [UInt8]) throws(XMLFault) -> Void
    private var bytes: [UInt8] = []
    private var hasBegun = false
    /// Which of the parser's tags is at hand, and which comes next.
    private var current: Int?
    private var upcoming = 0

    /// Reads what `pull` appends to the array that it is given, until it appends nothing.
    package init(pull: @escaping (inout [UInt8]) throws(XMLFault) -> Void) {
        self.pull = pull
        parser = XMLParser()
    }

    /// Goes to the next tag.
    package mutating func next() throws(XMLFault) -> Tag {
        while upcoming == parser.tags.count {
            if let fault = parser.fault {
                line = parser.line
                throw fault
            }
            if parser.isDone { return .endOfDocument }
            (current, upcoming) = (nil, 0)
            parser.forgetTags()
            bytes.removeAll(keepingCapacity: true)
            try fill()
            parser.parse(bytes)
        }
        let tag = parser.tags[upcoming]
        (current, upcoming) = (upcoming, upcoming + 1)
        (name, localName, line) = (tag.name.full, tag.name.local, tag.line)
        if !attributes.isEmpty { attributes.removeAll(keepingCapacity: true) }
        guard tag.isStart else {
            openElements.removeLast()
            return .end
        }
        if !tag.attributes.isEmpty { attributes += parser.attributes[tag.attributes] }
        openElements.append(name)
        return .start
    }

    /// Takes the next bytes. Expat tells the encoding by the first it is given: they are enough for
    /// that, however they come.
    private mutating func fill() throws(XMLFault) {
        var count: Int
        repeat {
            count = bytes.count
            try pull(&bytes)
        } while !hasBegun && bytes.count < 4 && bytes.count > count
        hasBegun = true
    }

    private func text(of tag: Int?) -> Range<Int> {
        guard let tag else { return 0..<0 }
        return (tag > 0 ? parser.tags[tag - 1].textEnd : 0)..<parser.tags[tag].textEnd
    }
}
