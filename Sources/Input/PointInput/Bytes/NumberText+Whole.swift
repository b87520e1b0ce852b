import Points

// Texts that are a number and nothing else.

extension NumberText {
    /// The value of such a text.
    static func value(of text: String) -> AttributeValue? { value(of: text.utf8.span) }

    static func value(of text: Span<UInt8>) -> AttributeValue? {
        with(text) { number, cursor in
            number.wholeValue ?? .init(canonical: cursor.double(of: number))
        }
    }

    /// The nearest `Double` of such a text.
    package static func double(_ text: String) -> Double? {
        with(text.utf8.span) { number, cursor in cursor.double(of: number) }
    }

    /// The nearest `Double` of a text that people wrote: with spaces or a plus sign in front, without
    /// digits on one side of the point; neither hexadecimal nor a word.
    static func looseDouble(_ text: String) -> Double? {
        // Most are spelled as in JSON, which is read much faster.
        if let number = double(text) { return number }
        let text = text.trimmingSpaces
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

    /// Gives `body` the number that a text is, and the bytes that it is spelled in.
    private static func with<Result>(
        _ text: Span<UInt8>, _ body: (NumberText, ByteCursor) -> Result
    ) -> Result? {
        let count = text.count
        // A short text is copied to the stack, to have zeros behind it as cursors need them.
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
