// Finds the ends and starts of objects by their appearance, without parsing.

extension ByteCursor {
    /// The index after the last line that ends an object before a line that starts one.
    ///
    /// Two objects without a comma between them can only be at the top level, and a string cannot
    /// have a bare newline: so in valid JSON this is always a place to cut.
    var lastLineOfObject: Int? {
        var index = end - 1
        while index > offset {
            guard self[index] == 0x0A else {
                index -= 1
                continue
            }
            var next = self
            next.move(to: index)
            next.skipSeparators()
            var before = index - 1
            while before > offset, self[before] <= 0x20 { before -= 1 }
            if next.byte == UInt8(ascii: "{"), self[before] == UInt8(ascii: "}") {
                return index + 1
            }
            index -= 1
        }
        return nil
    }

    /// The start of the next line that starts with an object, or the end.
    var nextLineOfObject: Int {
        var index = offset
        while index < end {
            defer { index += 1 }
            guard self[index] == 0x0A else { continue }
            var next = self
            next.move(to: index)
            next.skipSeparators()
            if next.byte == UInt8(ascii: "{") { return next.offset }
        }
        return end
    }

    /// The index after an object that is apparently followed by a comma and the last feature.
    ///
    /// A feature nested in another's properties looks the same, so this is a guess.
    var lastFeatureEnd: Int? {
        var tries = 0
        var index = end - 1
        while index > offset, tries < 64 {
            index -= 1
            guard self[index] == UInt8(ascii: "}") else { continue }
            var next = self
            next.move(to: index + 1)
            guard next.skip(","), case () = next.skipSpace(), next.byte == UInt8(ascii: "{")
            else { continue }
            tries += 1
            if next.isAtFeature { return index + 1 }
        }
        return nil
    }

    /// Whether an object with the type of a feature starts here.
    var isAtFeature: Bool {
        var bytes = self
        guard bytes.skip("{") else { return false }
        while let name = try? bytes.memberName() {
            if name == "type" { return (try? bytes.text()) == "Feature" }
            guard (try? bytes.skipValue()) != nil, bytes.skip(",") else { return false }
        }
        return false
    }

    /// The index after the current object, if all its brackets match in kind and its strings are closed.
    var endOfMatchedObject: Int? {
        guard byte == UInt8(ascii: "{") else { return nil }
        var bytes = self
        var open: [UInt8] = []
        while !bytes.isAtEnd {
            let byte = bytes.byte
            bytes.advance()
            switch byte {
            case UInt8(ascii: "\""): guard bytes.passString() else { return nil }
            case UInt8(ascii: "{"), UInt8(ascii: "["): open.append(byte)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                // In ASCII the code of a closing bracket is two more than that of its opening one.
                guard open.popLast() == byte - 2 else { return nil }
                if open.isEmpty { return bytes.offset }
            default: break
            }
        }
        return nil
    }

    /// Moves past the string whose quote was passed; false if its line or the text ends first.
    private mutating func passString() -> Bool {
        while !isAtEnd, byte != 0x0A {
            let byte = byte
            advance()
            if byte == UInt8(ascii: "\"") { return true }
            if byte == 0x5C, !isAtEnd { advance() }
        }
        return false
    }
}
