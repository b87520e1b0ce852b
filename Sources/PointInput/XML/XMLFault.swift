/// What is wrong with an XML document, at the place that the scanner has come to.
package enum XMLFault: Error, Equatable, Sendable {
    /// The document ends in an element, or (nil) in the middle of a tag or a comment.
    case truncated(inside: String?)
    case noRoot
    case secondRoot
    case wrongRoot(String, wanted: String)
    case mismatchedTag(expected: String?, found: String)
    case unexpected(UInt8, wanted: String)
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
        case .secondRoot: "the document has a second root element"
        case .wrongRoot(let name, let wanted): "the root element is <\(name)>, not <\(wanted)>"
        case .mismatchedTag(let expected?, let found):
            "</\(found)> stands where </\(expected)> should"
        case .mismatchedTag(nil, let found): "</\(found)> closes nothing"
        case .unexpected(let byte, let wanted):
            "\(Self.shown(byte)) stands where \(wanted) should"
        case .repeatedAttribute(let name): "the attribute \(name) is given twice"
        case .unknownEntity(let name): "the entity &\(name); is not known"
        case .unknownEncoding(let name): "the encoding \(name) is not read; UTF-8 is"
        case .notUTF8: "the text is not valid UTF-8"
        case .tooDeep(let limit): "elements are nested more than \(limit) deep"
        case .input(let error): error.description
        case .tooLong(let what): "a \(what) is too long"
        }
    }

    private static func shown(_ byte: UInt8) -> String {
        byte > 0x20 && byte < 0x7F ? "\"\(UnicodeScalar(byte))\"" : "byte \(byte)"
    }
}
