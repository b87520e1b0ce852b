/// Encodings of text other than UTF-8, told by the first bytes.
enum TextEncoding {
    /// The name of an encoding of two or four bytes a character, as `iconv` knows it; nil for others.
    ///
    /// Without a byte-order mark it is told by the zeros that the first letters have beside them:
    /// every format of text starts with letters of ASCII, and no binary format looks like that.
    static func wide(_ start: Span<UInt8>) -> String? {
        guard start.count >= 4 else { return nil }
        switch (start[0], start[1], start[2], start[3]) {
        case (0xFF, 0xFE, 0, 0): return "UTF-32"
        case (0, 0, 0xFE, 0xFF): return "UTF-32"
        case (0xFF, 0xFE, _, _), (0xFE, 0xFF, _, _): return "UTF-16"
        default: break
        }
        let head = start.extracting(first: 16)
        func isLetter(_ byte: UInt8) -> Bool { byte >= 0x09 && byte < 0x7F }
        func isText(oddIsZero: Bool) -> Bool {
            head.indices.allSatisfy {
                ($0 & 1 == 1) == oddIsZero ? head[$0] == 0 : isLetter(head[$0])
            }
        }
        return isText(oddIsZero: true) ? "UTF-16LE" : isText(oddIsZero: false) ? "UTF-16BE" : nil
    }
}
