/// The bytes of a document, one at a time, with the line and offset of the next.
struct XMLBytes {
    private let pull: (inout [UInt8]) throws(XMLFault) -> Void
    private var buffer: [UInt8] = []
    private var place = 0
    private var offsetOfBuffer = 0
    private(set) var line = 1

    init(pull: @escaping (inout [UInt8]) throws(XMLFault) -> Void) { self.pull = pull }

    var offset: Int { offsetOfBuffer + place }

    /// The next byte without going past it; nil at the end.
    mutating func peek() throws(XMLFault) -> UInt8? {
        if place == buffer.count {
            offsetOfBuffer += place
            place = 0
            buffer.removeAll(keepingCapacity: true)
            try pull(&buffer)
            if buffer.isEmpty { return nil }
        }
        return buffer[place]
    }

    /// Goes past the byte that was peeked at.
    mutating func skip() {
        if buffer[place] == 0x0A { line += 1 }
        place += 1
    }

    mutating func next() throws(XMLFault) -> UInt8? {
        guard let byte = try peek() else { return nil }
        skip()
        return byte
    }

    /// The next byte, where the document may not end yet.
    mutating func required() throws(XMLFault) -> UInt8 {
        guard let byte = try next() else { throw .truncated(inside: nil) }
        return byte
    }

    mutating func requiredPastBlanks() throws(XMLFault) -> UInt8 {
        while true {
            let byte = try required()
            if !Self.isBlank(byte) { return byte }
        }
    }

    /// Appends the bytes that are at hand up to the next tag, reference or carriage return.
    mutating func takeText(into text: inout [UInt8]) {
        var end = place
        var lines = 0
        reading: while end < buffer.count {
            switch buffer[end] {
            case UInt8(ascii: "<"), UInt8(ascii: "&"), 0x0D: break reading
            case 0x0A: lines += 1
            default: break
            }
            end += 1
        }
        line += lines
        take(upTo: end, into: &text)
    }

    /// Appends the bytes that are at hand as far as they can stand in a name.
    mutating func takeName(into name: inout [UInt8]) {
        var end = place
        while end < buffer.count, XMLScanner.continuesName(buffer[end]) { end += 1 }
        take(upTo: end, into: &name)
    }

    private mutating func take(upTo end: Int, into taken: inout [UInt8]) {
        taken.append(contentsOf: buffer[place..<end])
        place = end
    }

    static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
    }
}
