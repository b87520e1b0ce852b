import Points

// A feature's id and properties.

extension GeoJSONParser {
    mutating func parseID() throws(JSONFault) {
        switch bytes.byte {
        case UInt8(ascii: "\""): builder.setID(.text(try bytes.text()))
        case UInt8(ascii: "n"): try bytes.expect(word: "null")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            guard let number = bytes.number() else { throw bytes.fault }
            builder.setID(number.wholeValue ?? .init(canonical: bytes.double(of: number)))
        default: try bytes.skipValue()
        }
    }

    mutating func parseProperties() throws(JSONFault) {
        guard bytes.byte == UInt8(ascii: "{") else { return try bytes.skipValue() }
        bytes.advance()
        if bytes.skip("}") { return }
        repeat {
            bytes.skipSpace()
            try parseMember()
        } while bytes.skip(",")
        try bytes.expect("}")
    }

    /// Reads an attribute's name and value.
    @inline(__always)
    mutating func parseMember() throws(JSONFault) {
        let attribute = try parseKey()
        bytes.skipSpace()
        try bytes.expect(":")
        bytes.skipSpace()
        try parseValue(attribute)
    }

    @inline(__always)
    private mutating func parseKey() throws(JSONFault) -> InputAttribute {
        guard bytes.byte == UInt8(ascii: "\"") else { throw bytes.fault }
        bytes.advance()
        if let attribute = keys.guess(&bytes) { return attribute }
        bytes.move(to: bytes.offset - 1)
        return try parseNewKey()
    }

    private mutating func parseNewKey() throws(JSONFault) -> InputAttribute {
        let (range, hasEscapes) = try bytes.string()
        if hasEscapes { bytes.unescaped(range, into: &scratch) }
        let name =
            hasEscapes
            ? String(decoding: scratch, as: UTF8.self) : String(copying: bytes.span(range))
        return keys.look(up: name, spelling: bytes.span(range), in: &builder)
    }

    @inline(__always)
    private mutating func parseValue(_ attribute: InputAttribute) throws(JSONFault) {
        switch bytes.byte {
        case UInt8(ascii: "\""):
            let (range, hasEscapes) = try bytes.string()
            guard !hasEscapes else {
                bytes.unescaped(range, into: &scratch)
                let text = scratch
                return builder.add(attribute, utf8: text.span)
            }
            builder.add(attribute, utf8: bytes.span(range))
        case UInt8(ascii: "t"):
            try bytes.expect(word: "true")
            builder.add(attribute, bool: true)
        case UInt8(ascii: "f"):
            try bytes.expect(word: "false")
            builder.add(attribute, bool: false)
        case UInt8(ascii: "n"):
            try bytes.expect(word: "null")
            builder.addNothing(attribute)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let value = try bytes.value()
            let text = bytes.compact(value)
            builder.add(attribute, utf8: text.span)
        default:
            guard let number = bytes.number() else { throw bytes.fault }
            builder.add(attribute, number, from: bytes)
        }
    }
}
