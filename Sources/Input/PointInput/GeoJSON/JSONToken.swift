import Basics
import JSON

// Reads the parts of JSON texts (RFC 8259) directly from bytes.

extension ByteCursor {
    @inline(__always)
    mutating func skipSpace() {
        while byte <= 0x20 {
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            pass()
        }
    }

    /// A fault here: an unexpected byte, or a missing one at the end.
    var fault: JSONFault { JSONFault(reason: isAtEnd ? .truncated : .syntax, offset: offset) }

    @inline(__always)
    mutating func expect(_ expected: Unicode.Scalar) throws(JSONFault) {
        guard byte == UInt8(ascii: expected) else { throw fault }
        pass()
    }

    /// Skips space, then a byte if it has this value.
    @inline(__always)
    mutating func skip(_ wanted: Unicode.Scalar) -> Bool {
        skipSpace()
        guard byte == UInt8(ascii: wanted) else { return false }
        pass()
        return true
    }

    /// Reads the words `true`, `false` and `null`.
    mutating func expect(word: StaticString) throws(JSONFault) {
        for index in 0..<word.utf8CodeUnitCount {
            guard unsafe byte == word.utf8Start[index] else { throw fault }
            pass()
        }
    }

    /// Reads a string that starts at the quote here; returns the range between the quotes and
    /// whether it has escapes. The range is valid UTF-8.
    @inline(__always)
    mutating func string() throws(JSONFault) -> (range: Range<Int>, hasEscapes: Bool) {
        try expect("\"")
        let start = offset
        var hasEscapes = false
        var isASCII = true
        while true {
            let word = word()
            let high = word & WordMask.tops
            let found =
                WordMask.of(UInt8(ascii: "\""), in: word) | WordMask.of(0x5C, in: word)
                | WordMask.below(0x20, in: word)
            let step = found == 0 ? 8 : WordMask.firstIndex(found)
            if high != 0, WordMask.firstIndex(high) < step { isASCII = false }
            // The zeros at the end are found like control characters.
            pass(step)
            if found == 0 { continue }
            guard byte != UInt8(ascii: "\"") else { break }
            guard byte == 0x5C else { throw fault }
            hasEscapes = true
            try checkEscape()
        }
        let range = start..<offset
        pass()
        if !isASCII { try checkUTF8(range) }
        return (range, hasEscapes)
    }

    private func checkUTF8(_ range: Range<Int>) throws(JSONFault) {
        do {
            _ = try UTF8Span(validating: span(range))
        } catch {
            throw JSONFault(
                reason: .invalidUTF8, offset: range.lowerBound + error.byteOffsets.lowerBound)
        }
    }

    /// Checks and skips an escape that starts at the backslash here.
    private mutating func checkEscape() throws(JSONFault) {
        advance()
        switch byte {
        case UInt8(ascii: "u"):
            advance()
            for _ in 0..<4 {
                guard byte.hexDigit != nil else { throw fault }
                advance()
            }
        case UInt8(ascii: "\""), 0x5C, UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            advance()
        default: throw fault
        }
    }

    /// The meaning of a checked string with escapes. A surrogate without its other half becomes U+FFFD.
    func unescaped(_ range: Range<Int>, into text: inout [UInt8]) {
        text.removeAll(keepingCapacity: true)
        let bytes = span(range)
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0x5C {
                let scalar = try? JSONEscape.scalar(in: bytes, at: &index)
                text += (scalar ?? "\u{FFFD}").utf8
            } else {
                text.append(bytes[index])
                index += 1
            }
        }
    }
}

extension ByteCursor {
    /// Skips and checks a value of any kind.
    mutating func skipValue() throws(JSONFault) { _ = try value() }

    /// Skips and checks a value of any kind; returns its range.
    mutating func value() throws(JSONFault) -> Range<Int> {
        // A stack of closing brackets instead of recursion: the input decides the depth.
        var open: [UInt8] = []
        skipSpace()
        let first = offset
        repeat {
            skipSpace()
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                let isObject = byte == UInt8(ascii: "{")
                guard open.count < JSONFault.deepest else {
                    throw JSONFault(reason: .tooDeep, offset: offset)
                }
                open.append(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
                advance()
                skipSpace()
                if byte != open[open.count - 1] {
                    if isObject { try skipName() }
                    continue
                }
            case UInt8(ascii: "\""): _ = try string()
            case UInt8(ascii: "t"): try expect(word: "true")
            case UInt8(ascii: "f"): try expect(word: "false")
            case UInt8(ascii: "n"): try expect(word: "null")
            default: guard number() != nil else { throw fault }
            }
            try closeBrackets(&open)
        } while !open.isEmpty
        return first..<offset
    }

    /// After a value, closes the brackets that end here, or skips the comma before the next value.
    private mutating func closeBrackets(_ open: inout [UInt8]) throws(JSONFault) {
        while let closing = open.last {
            skipSpace()
            guard byte == closing else {
                try expect(",")
                if closing == UInt8(ascii: "}") { try skipName() }
                return
            }
            advance()
            open.removeLast()
        }
    }

    /// Skips and checks a member's name and its colon.
    private mutating func skipName() throws(JSONFault) {
        skipSpace()
        _ = try string()
        skipSpace()
        try expect(":")
    }

    /// The text of a checked value without white space.
    func compact(_ value: Range<Int>) -> [UInt8] {
        var text: [UInt8] = []
        var isInString = false
        var index = value.lowerBound
        while index < value.upperBound {
            let byte = self[index]
            if byte == UInt8(ascii: "\"") { isInString.toggle() }
            if isInString || byte > 0x20 { text.append(byte) }
            index += 1
            if isInString, byte == 0x5C {
                text.append(self[index])
                index += 1
            }
        }
        return text
    }
}
