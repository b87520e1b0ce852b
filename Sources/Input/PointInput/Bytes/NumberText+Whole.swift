import Points

// Texts that consist of a number alone.

extension NumberText {
    /// The value of such a text; nil if it is beyond any number.
    static func value(of text: String) -> AttributeValue? { value(of: text.utf8.span) }

    static func value(of text: Span<UInt8>) -> AttributeValue? {
        let value = with(text) { number, cursor in
            number.wholeValue ?? .init(canonical: cursor.double(of: number))
        }
        return value.flatMap { $0.asNumber?.isFinite ?? false ? $0 : nil }
    }

    /// The nearest `Double` of such a text.
    package static func double(_ text: String) -> Double? {
        with(text.utf8.span) { number, cursor in cursor.double(of: number) }
    }

    /// The nearest `Double` of a text written by people: leading spaces or a plus sign are
    /// accepted, and digits on only one side of the point; hexadecimal numbers and words are not.
    static func looseDouble(_ text: String) -> Double? {
        // Most are written as in JSON, which is much faster to read.
        if let number = double(text) { return number }
        let text = tidy(text).trimmingSpaces
        let isDecimal = text.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
                true
            default: false
            }
        }
        return isDecimal ? Double(text) : nil
    }

    /// The text without the spaces beyond ASCII and invisible marks that programs put around numbers, with a
    /// hyphen in place of a minus sign, and with the zero that some programs leave out: `-.5`.
    static func tidy(_ text: String) -> String {
        let bare = text.withoutMarks
        let hasSign = ["\u{2212}", "-"].contains(bare.unicodeScalars.first)
        let digits = hasSign ? bare.dropFirst() : bare[...]
        let bytes = digits.utf8
        let lacksZero =
            bytes.first == UInt8(ascii: ".") && (bytes.dropFirst().first?.isASCIIDigit ?? false)
        guard hasSign || lacksZero else { return bare }
        return (hasSign ? "-" : "") + (lacksZero ? "0" : "") + digits
    }

    /// Calls `body` with the number that the text is, and its bytes.
    private static func with<Result>(
        _ text: Span<UInt8>, _ body: (NumberText, ByteCursor) -> Result
    ) -> Result? {
        let count = text.count
        // A short text is copied to the stack, so that zeros follow it as cursors need.
        return unsafe withUnsafeTemporaryAllocation(
            of: UInt8.self, capacity: count + ByteBlock.padding
        ) { copy in
            unsafe copy.initialize(repeating: 0)
            for index in text.indices { unsafe copy[index] = text[index] }
            guard let base = unsafe UnsafePointer(copy.baseAddress) else { return nil }
            var cursor = unsafe ByteCursor(base: base, offset: 0, end: count)
            guard let number = cursor.number(), cursor.isAtEnd else { return nil }
            return body(number, cursor)
        }
    }
}

extension String {
    /// The text without spaces beyond ASCII and invisible marks at its ends. Office programs and pages leave them there:
    /// no-break and ideographic spaces, marks of direction, joiners.
    var withoutMarks: String {
        guard !utf8.allSatisfy({ $0 < 0x80 }) else { return self }
        func isMark(_ scalar: Unicode.Scalar) -> Bool {
            !scalar.isASCII
                && [.format, .spaceSeparator].contains(scalar.properties.generalCategory)
        }
        guard let first = unicodeScalars.firstIndex(where: { !isMark($0) }),
            let last = unicodeScalars.lastIndex(where: { !isMark($0) })
        else { return "" }
        return String(unicodeScalars[first...last])
    }
}
