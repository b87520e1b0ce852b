extension XMLScanner {
    /// `lt;`, `#38;`, `#x26;`: what follows an ampersand, expanded (XML 1.0, 4.1 and 4.6).
    mutating func readReference() throws(XMLFault) -> String {
        var name: [UInt8] = []
        while true {
            let byte = try bytes.required()
            if byte == UInt8(ascii: ";") { break }
            name.append(byte)
            guard name.count <= 32 else {
                throw .unknownEntity(String(decoding: name, as: UTF8.self))
            }
        }
        let spelled = String(decoding: name, as: UTF8.self)
        guard let scalar = Self.scalar(forEntity: spelled) else {
            throw .unknownEntity(spelled)
        }
        return String(scalar)
    }

    private static func scalar(forEntity name: String) -> Unicode.Scalar? {
        switch name {
        case "lt": return "<"
        case "gt": return ">"
        case "amp": return "&"
        case "apos": return "'"
        case "quot": return "\""
        default:
            guard name.first == "#" else { return nil }
            let isHexadecimal = name.dropFirst().first == "x"
            let digits = name.dropFirst(isHexadecimal ? 2 : 1)
            guard digits.first?.isHexDigit == true,
                let number = UInt32(digits, radix: isHexadecimal ? 16 : 10),
                // XML 1.0, 2.2: no control characters but tab, line feed and carriage return.
                number >= 0x20 || number == 9 || number == 10 || number == 13
            else { return nil }
            return Unicode.Scalar(number)
        }
    }

    /// Outside of the root there may be no text.
    func requireBlankOutside() throws(XMLFault) {
        if let byte = text.first(where: { !XMLBytes.isBlank($0) }) {
            throw .unexpected(byte, wanted: "a tag")
        }
    }

    func utf8(_ bytes: [UInt8]) throws(XMLFault) -> String {
        do { return String(copying: try UTF8Span(validating: bytes.span)) } catch { throw .notUTF8 }
    }

    /// Bytes past ASCII are taken as letters: the exact table tells no data apart.
    static func startsName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...:
            true
        default: false
        }
    }

    static func continuesName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: startsName(byte)
        }
    }
}

/// The encodings that a document may declare.
enum XMLEncoding {
    /// The value of `encoding="…"` in an XML declaration.
    static func declared(in declaration: String) -> String? {
        let words = declaration.split { $0 == "=" || $0 == "\"" || $0 == "'" || $0.isWhitespace }
        guard let place = words.firstIndex(of: "encoding"), place + 1 < words.count else {
            return nil
        }
        return String(words[place + 1])
    }

    static func isReadable(_ name: String) -> Bool {
        ["utf-8", "utf8", "us-ascii", "ascii"].contains(name.lowercased())
    }
}
