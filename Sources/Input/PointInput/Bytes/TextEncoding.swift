import CLibrary

/// An encoding of text that the C library supports: `windows-1252`, `UTF-16`, `Shift_JIS`.
public struct TextEncoding: Hashable, Sendable {
    public let name: String

    private init(_ name: String) { self.name = name }

    /// The encoding with a name; nil if the C library does not support it.
    public init?(named name: String) {
        self.name = name
        guard let converter = unsafe makeConverter() else { return nil }
        unsafe iconv_close(converter)
    }

    /// What is said of an input whose format says how it is encoded.
    var unused: String {
        "is of a format with an encoding of its own, so --encoding \(name) is not used"
    }

    var isUTF8: Bool { ["UTF-8", "UTF8"].contains(name.uppercased()) }

    /// A converter to UTF-8; the caller closes it.
    func makeConverter() -> iconv_t? {
        // A name may end in an option for characters that cannot be converted.
        guard !name.isEmpty, !name.contains("/"),
            let converter = unsafe iconv_open("UTF-8", name), Int(bitPattern: converter) != -1
        else { return nil }
        return unsafe converter
    }

    /// An encoding of two or four bytes a character; nil for others.
    ///
    /// Without a byte-order mark it is recognized by the zeros beside the first letters: every text
    /// format starts with Latin letters, and no binary format looks like that.
    static func wide(_ start: Span<UInt8>) -> TextEncoding? {
        guard start.count >= 4 else { return nil }
        switch (start[0], start[1], start[2], start[3]) {
        case (0xFF, 0xFE, 0, 0), (0, 0, 0xFE, 0xFF): return TextEncoding("UTF-32")
        case (0xFF, 0xFE, _, _), (0xFE, 0xFF, _, _): return TextEncoding("UTF-16")
        default: break
        }
        let head = start.extracting(first: 16)
        func isLetter(_ byte: UInt8) -> Bool { byte >= 0x09 && !(0x7F..<0xA0 ~= byte) }
        func isText(oddIsZero: Bool) -> Bool {
            head.indices.allSatisfy {
                ($0 & 1 == 1) == oddIsZero ? head[$0] == 0 : isLetter(head[$0])
            }
        }
        if isText(oddIsZero: true) { return TextEncoding("UTF-16LE") }
        return isText(oddIsZero: false) ? TextEncoding("UTF-16BE") : nil
    }

    /// Windows-1252, which includes Latin-1, for a text with bytes beyond ASCII that contains no
    /// valid UTF-8 character. A text with valid and invalid ones is UTF-8 with errors.
    static func narrow(_ start: Span<UInt8>) -> TextEncoding? {
        var index = 0
        var hasOthers = false
        while index < start.count {
            guard start[index] >= 0x80 else {
                index += 1
                continue
            }
            // A character cut off at the very end proves nothing.
            if start.count - index < 4, start.count == OpenInput.longestStart { break }
            let next = (index..<min(index + 4, start.count)).map { start[$0] }
            var parser = Unicode.UTF8.ForwardParser()
            var rest = next.makeIterator()
            if case .valid = parser.parseScalar(from: &rest) { return nil }
            hasOthers = true
            index += 1
        }
        return hasOthers ? TextEncoding("windows-1252") : nil
    }
}

extension OpenInput {
    /// The same input in UTF-8, if it is text in another encoding.
    func inUTF8(_ options: InputOptions) throws(InputError) -> OpenInput {
        if let encoding = options.encoding {
            return encoding.isUTF8 || !isText(options) ? self : try recoded(from: encoding)
        }
        let start = start
        guard let wide = TextEncoding.wide(start.span) else { return self }
        return try recoded(from: wide)
    }

    /// Whether it is of a format of texts: by the options, or because no reader of another recognizes its start.
    private func isText(_ options: InputOptions) -> Bool {
        if let format = options.format { return format.isText }
        if isNameOfGDAL { return false }
        let start = start
        return !PointReaders.all.contains {
            !$0.format.isText && $0.recognises(start.span)
        }
    }

    func recoded(from encoding: TextEncoding) throws(InputError) -> OpenInput {
        var reopen: (() throws(InputError) -> OpenInput)?
        if isRepeatable {
            reopen = { () throws(InputError) in try self.again().recoded(from: encoding) }
        }
        return try OpenInput(
            RecodedStream(self, encoding, name: name), name: name, reopen: reopen)
    }
}
