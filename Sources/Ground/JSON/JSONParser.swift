import Basics

extension JSONValue {
    /// Parses one JSON text (RFC 8259), strictly; a byte order mark in front is skipped.
    /// - Complexity: O(bytes); the stack holds a limited number of levels.
    public init(parsing bytes: Span<UInt8>) throws(JSONError) {
        var parser = JSONParser(bytes: bytes)
        do throws(JSONParser.Failure) {
            self = try parser.document()
        } catch {
            throw .syntax(error.fault, JSONLocation(of: error.offset, in: bytes))
        }
    }

    public init(parsing text: String) throws(JSONError) {
        var text = text
        text.makeContiguousUTF8()
        try self.init(parsing: text.utf8.span)
    }
}

extension JSONLocation {
    /// - Complexity: O(offset).
    init(of offset: Int, in bytes: Span<UInt8>) {
        self.init(line: 1, column: 1, offset: offset)
        for index in 0..<min(offset, bytes.count) {
            if bytes[index] == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if bytes[index] & 0xC0 != 0x80 {
                column += 1
            }
        }
    }
}

/// A walk over the bytes of one JSON text; strings and numbers are in files of their own.
package struct JSONParser: ~Escapable {
    package struct Failure: Error {
        var fault: JSONError.SyntaxFault
        var offset: Int
    }

    let bytes: Span<UInt8>
    var offset = 0
    private var depth = 0

    @_lifetime(copy bytes)
    init(bytes: Span<UInt8>) { self.bytes = bytes }

    /// The most arrays and objects within one another.
    private static let nestingLimit = 128

    mutating func document() throws(Failure) -> JSONValue {
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { offset = 3 }
        let value = try value()
        skipSpace()
        guard offset == bytes.count else { throw failure(.trailingText) }
        return value
    }

    private mutating func value() throws(Failure) -> JSONValue {
        skipSpace()
        switch peek() {
        case UInt8(ascii: "{"): return .object(try nested { p throws(Failure) in try p.object() })
        case UInt8(ascii: "["): return .array(try nested { p throws(Failure) in try p.array() })
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"): return try number()
        case let byte? where byte.isASCIIDigit: return try number()
        default: throw unexpected("a value")
        }
    }

    private mutating func nested<Result>(
        _ body: (inout JSONParser) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard depth < Self.nestingLimit else {
            throw failure(.nestedTooDeeply(limit: Self.nestingLimit))
        }
        depth += 1
        offset += 1
        let result = try body(&self)
        depth -= 1
        return result
    }

    private mutating func array() throws(Failure) -> [JSONValue] {
        var elements: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return elements }
        while true {
            elements.append(try value())
            skipSpace()
            if take(UInt8(ascii: "]")) { return elements }
            guard take(UInt8(ascii: ",")) else { throw unexpected("',' or ']'") }
        }
    }

    private mutating func object() throws(Failure) -> JSONObject {
        var object = JSONObject()
        skipSpace()
        if take(UInt8(ascii: "}")) { return object }
        while true {
            skipSpace()
            guard peek() == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
            let key = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw unexpected("':'") }
            object.members.append(.init(key: key, value: try value()))
            skipSpace()
            if take(UInt8(ascii: "}")) { return object }
            guard take(UInt8(ascii: ",")) else { throw unexpected("',' or '}'") }
        }
    }

    private mutating func word(
        _ word: StaticString, _ value: JSONValue
    ) throws(Failure) -> JSONValue {
        for expected in word.description.utf8 {
            guard take(expected) else { throw unexpected("'\(word)'") }
        }
        return value
    }
}

extension JSONParser {
    func peek() -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        offset += 1
        return true
    }

    mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            offset += 1
        }
    }

    func failure(_ fault: JSONError.SyntaxFault, at faultOffset: Int? = nil) -> Failure {
        Failure(fault: fault, offset: faultOffset ?? offset)
    }

    func unexpected(_ wanted: String) -> Failure {
        guard let byte = peek() else { return failure(.endsEarly) }
        return failure(.unexpected(byte: byte, wanted: wanted))
    }
}
