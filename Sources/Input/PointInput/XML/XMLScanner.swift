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
        /// The characters between two tags.
        static let text = 16 << 20
        /// The bytes of one tag or comment.
        static let tag = 1 << 20
    }

    /// The tag's name as it is written, prefix included.
    package var name: String { tag?.name.full ?? "" }
    /// The tag's name without its prefix.
    var localName: String { tag?.name.local ?? "" }
    package var attributes: ArraySlice<Attribute> {
        found.attributes[tag?.attributes ?? 0..<0]
    }
    /// The character data between the tag before and this one, with entities expanded.
    package var text: ArraySlice<UInt8> { found.texts[tag?.text ?? 0..<0] }
    /// How many elements are open; a start tag's own is one of them.
    private(set) var depth = 0
    /// The line the scanner has come to, from 1.
    package private(set) var line = 1

    private let parser = XMLParser()
    private let pull: (inout [UInt8]) throws(XMLFault) -> Void
    private var bytes: [UInt8] = []
    private var hasBegun = false
    private var found = XMLTags()
    /// The tag at hand, and which of those that were found comes next.
    private var tag: XMLTags.Tag?
    private var upcoming = 0

    /// Reads what `pull` appends to the array that it is given, until it appends nothing.
    package init(pull: @escaping (inout [UInt8]) throws(XMLFault) -> Void) { self.pull = pull }

    /// Goes to the next tag.
    package mutating func next() throws(XMLFault) -> Tag {
        while upcoming == found.tags.count {
            if let fault = parser.fault {
                line = parser.line
                throw fault
            }
            (tag, upcoming) = (nil, 0)
            if parser.isDone { return .endOfDocument }
            bytes.removeAll(keepingCapacity: true)
            try fill()
            parser.parse(bytes, into: &found)
        }
        let tag = found.tags[upcoming]
        upcoming += 1
        self.tag = tag
        line = tag.line
        depth += tag.isStart ? 1 : -1
        return tag.isStart ? .start : .end
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
}
