import Points

// A feature's id and properties.

extension GeoJSONParser {
    mutating func parseID() throws(JSONFault) {
        switch bytes.byte {
        case UInt8(ascii: "\""): gate.setID(.text(try bytes.text()))
        case UInt8(ascii: "n"): try bytes.expect(word: "null")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            guard let number = bytes.number() else { throw bytes.fault }
            if number.isWhole, number.isExact, !number.isNegative {
                gate.setID(unsigned: number.digits)
            } else {
                gate.setID(number.wholeValue ?? .init(canonical: bytes.double(of: number)))
            }
        default: try bytes.skipValue()
        }
    }

    mutating func parseProperties() throws(JSONFault) {
        guard bytes.byte == UInt8(ascii: "{") else { return try bytes.skipValue() }
        bytes.advance()
        if bytes.skip("}") { return }
        repeat {
            bytes.skipSpace()
            let slot = try parseKey()
            bytes.skipSpace()
            try bytes.expect(":")
            bytes.skipSpace()
            try parseValue(slot)
        } while bytes.skip(",")
        try bytes.expect("}")
    }

    @inline(__always)
    private mutating func parseKey() throws(JSONFault) -> AttributeSlot {
        guard bytes.byte == UInt8(ascii: "\"") else { throw bytes.fault }
        bytes.advance()
        if let slot = keys.guess(&bytes) { return slot }
        bytes.move(to: bytes.position - 1)
        return try parseNewKey()
    }

    private mutating func parseNewKey() throws(JSONFault) -> AttributeSlot {
        let (range, hasEscapes) = try bytes.string()
        if hasEscapes { bytes.unescaped(range, into: &scratch) }
        let name =
            hasEscapes
            ? String(decoding: scratch, as: UTF8.self) : String(copying: bytes.span(range))
        return keys.look(up: name, spelling: bytes.span(range), in: &gate)
    }

    @inline(__always)
    private mutating func parseValue(_ slot: AttributeSlot) throws(JSONFault) {
        switch bytes.byte {
        case UInt8(ascii: "\""):
            let (range, hasEscapes) = try bytes.string()
            guard !hasEscapes else {
                bytes.unescaped(range, into: &scratch)
                let text = scratch
                return gate.add(slot, utf8: text.span)
            }
            gate.add(slot, utf8: bytes.span(range))
        case UInt8(ascii: "t"):
            try bytes.expect(word: "true")
            gate.add(slot, bool: true)
        case UInt8(ascii: "f"):
            try bytes.expect(word: "false")
            gate.add(slot, bool: false)
        case UInt8(ascii: "n"):
            try bytes.expect(word: "null")
            gate.addNothing(slot)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            var text: [UInt8]? = []
            try bytes.value(compact: &text)
            if let text { gate.add(slot, utf8: text.span) }
        default:
            guard let number = bytes.number() else { throw bytes.fault }
            gate.add(slot, number, from: bytes)
        }
    }
}
