/// An error in a JSON document, with its location.
public enum JSONError: Error, Hashable, Sendable {
    /// The text is not JSON.
    case syntax(SyntaxFault, JSONLocation)
    /// A value is not of the expected kind; `expected` and `found` are in words.
    case expected(String, found: String, at: JSONPath)
    case missing(key: String, at: JSONPath)
    case unknown(key: String, nearest: String?, at: JSONPath)
    case duplicate(key: String, at: JSONPath)

    public enum SyntaxFault: Hashable, Sendable {
        case endsEarly
        /// Another byte is at the place of `wanted`, which is in words.
        case unexpected(byte: UInt8, wanted: String)
        case trailingText
        case badNumber
        case numberOutOfRange
        case badEscape
        case loneSurrogate
        case controlCharacter(UInt8)
        case badUTF8
        case nestedTooDeeply(limit: Int)
    }
}

/// A location in a text: lines and columns count from 1, columns in Unicode scalars.
public struct JSONLocation: Hashable, Sendable {
    public var line: Int
    public var column: Int
    /// The number of bytes before it.
    public var offset: Int

    public init(line: Int, column: Int, offset: Int) {
        self.line = line
        self.column = column
        self.offset = offset
    }
}

extension JSONError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .syntax(let fault, let location):
            "not JSON at line \(location.line), column \(location.column): \(fault)"
        case .expected(let expected, let found, let path):
            "expected \(expected) at \(path), found \(found)"
        case .missing(let key, let path):
            "\"\(key)\" is missing at \(path)"
        case .unknown(let key, let nearest, let path):
            "unknown key \"\(key)\" at \(path)"
                + (nearest.map { "; did you mean \"\($0)\"?" } ?? "")
        case .duplicate(let key, let path):
            "\"\(key)\" is given twice at \(path)"
        }
    }
}

extension JSONError.SyntaxFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .endsEarly: "the text ends early"
        case .unexpected(let byte, let wanted): "expected \(wanted), found \(Self.show(byte))"
        case .trailingText: "something follows the value"
        case .badNumber: "not a number as JSON writes them"
        case .numberOutOfRange: "the number is too large"
        case .badEscape: "no such escape in a string"
        case .loneSurrogate: "half of a surrogate pair"
        case .controlCharacter(let byte): "\(Self.show(byte)) must be escaped in a string"
        case .badUTF8: "the string is not UTF-8"
        case .nestedTooDeeply(let limit): "nested deeper than \(limit) levels"
        }
    }

    private static func show(_ byte: UInt8) -> String {
        if (0x21...0x7E).contains(byte) { return "'\(Unicode.Scalar(byte))'" }
        let digits = String(byte, radix: 16, uppercase: true)
        return "byte 0x" + (digits.count < 2 ? "0" : "") + digits
    }
}
