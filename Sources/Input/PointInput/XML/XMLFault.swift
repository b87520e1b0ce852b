/// What is wrong with an XML document where the scanner has come to.
package enum XMLFault: Error, Equatable, Sendable {
    /// The document ends in an element, or (nil) in the middle of a tag or a comment.
    case truncated(inside: String?)
    case noRoot
    /// A second root, or what is no element at all.
    case behindRoot
    case wrongRoot(String, wanted: String)
    case mismatchedTag(expected: String?, found: String)
    /// In expat's words.
    case notWellFormed(String)
    case repeatedAttribute(String)
    case unknownEntity(String)
    case unknownEncoding(String)
    case notUTF8
    case tooDeep(Int)
    case tooLong(String)
    /// The bytes themselves could not be read.
    case input(InputError)
}

extension XMLFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .truncated(let element?): "the document ends inside <\(element)>"
        case .truncated(nil): "the document ends in the middle of a tag"
        case .noRoot: "the document has no element"
        case .behindRoot: "the document goes on behind its root element"
        case .wrongRoot(let name, let wanted): "the root element is <\(name)>, not <\(wanted)>"
        case .mismatchedTag(let expected?, let found):
            "</\(found)> stands where </\(expected)> should"
        case .mismatchedTag(nil, let found): "</\(found)> closes nothing"
        case .notWellFormed(let words): "it is not XML: \(words)"
        case .repeatedAttribute(let name): "the attribute \(name) is given twice"
        case .unknownEntity(let name): "the entity &\(name); is not known"
        case .unknownEncoding(let name):
            "the encoding \(name) is not read; UTF-8, UTF-16 and ISO-8859-1 are"
        case .notUTF8: "the text is not valid UTF-8"
        case .tooDeep(let limit): "elements are nested more than \(limit) deep"
        case .input(let error): error.description
        case .tooLong(let what): "a \(what) is too long"
        }
    }
}
