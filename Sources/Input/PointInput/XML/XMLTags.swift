/// The tags that a stretch of a document holds, one after another, and the characters between them.
struct XMLTags {
    struct Tag {
        var isStart: Bool
        var name: XMLName
        var line: Int
        /// The characters in front of the tag.
        var text: Range<Int>
        var attributes: Range<Int>
    }

    private(set) var tags: [Tag] = []
    private(set) var texts: [UInt8] = []
    private(set) var attributes: [XMLScanner.Attribute] = []
    /// Where the characters begin that no tag has followed yet.
    private var openText = 0

    /// How many characters no tag has followed yet.
    var openTextCount: Int { texts.count - openText }

    mutating func append(text: UnsafeRawBufferPointer) { unsafe texts.append(contentsOf: text) }

    mutating func append(attribute: XMLScanner.Attribute) { attributes.append(attribute) }

    /// Adds a tag; the last attributes that were added are its own, so many.
    mutating func append(
        _ name: XMLName, isStart: Bool, line: Int, attributes attributeCount: Int = 0
    ) {
        tags.append(
            Tag(
                isStart: isStart, name: name, line: line, text: openText..<texts.count,
                attributes: attributes.count - attributeCount..<attributes.count))
        openText = texts.count
    }

    /// Forgets the tags; the characters behind the last one belong to the next.
    mutating func removeTags() {
        texts.removeSubrange(..<openText)
        openText = 0
        tags.removeAll(keepingCapacity: true)
        attributes.removeAll(keepingCapacity: true)
    }
}
