/// Offending text, made fit for a message.
enum Snippet {
    /// The text in quotation marks, cut short, with everything unprintable spelled out.
    static func of(_ bytes: Span<UInt8>, limit: Int = 40) -> String {
        var text = "“"
        for character in String(copying: bytes.extracting(first: limit + 1)).prefix(limit) {
            switch character {
            case "\n": text += "\\n"
            case "\r", "\r\n": text += "\\r"
            case "\t": text += "\\t"
            default:
                let isControl = character.unicodeScalars.contains { $0.value < 0x20 }
                text += isControl ? "\u{FFFD}" : String(character)
            }
        }
        return text + (bytes.count > limit ? "…”" : "”")
    }

    static func of(_ text: String, limit: Int = 40) -> String {
        of(Array(text.utf8).span, limit: limit)
    }
}
