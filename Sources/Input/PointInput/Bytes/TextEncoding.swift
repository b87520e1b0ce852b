import CLibrary

/// An encoding of text that the C library supports: `windows-1252`, `UTF-16`, `Shift_JIS`.
public struct TextEncoding: Hashable, Sendable {
    public let name: String

    static let utf8 = TextEncoding("UTF-8")

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

    /// Whether it is the other one, perhaps with the order of bytes said.
    func isKind(of other: TextEncoding) -> Bool {
        (isUTF8 && other.isUTF8) || name.uppercased().hasPrefix(other.name.uppercased())
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

    /// Calls `visit` with each character beyond ASCII, or nil for a byte that is no UTF-8, until it returns false.
    private static func forEachBeyondASCII(
        in start: Span<UInt8>, _ visit: (Unicode.Scalar?) -> Bool
    ) {
        var index = 0
        while index < start.count {
            guard start[index] >= 0x80 else {
                index += 1
                continue
            }
            // A character cut off at the very end proves nothing.
            if start.count - index < 4, start.count == OpenInput.longestStart { return }
            let next = (index..<min(index + 4, start.count)).map { start[$0] }
            var parser = Unicode.UTF8.ForwardParser()
            var rest = next.makeIterator()
            guard case .valid(let bytes) = parser.parseScalar(from: &rest) else {
                guard visit(nil) else { return }
                index += 1
                continue
            }
            guard visit(Unicode.UTF8.decode(bytes)) else { return }
            index += bytes.count
        }
    }

    /// Windows-1252, which includes Latin-1, for a text with bytes beyond ASCII that contains no
    /// valid UTF-8 character. A text with valid and invalid ones is UTF-8 with errors.
    static func narrow(_ start: Span<UInt8>) -> TextEncoding? {
        var isNarrow = false
        forEachBeyondASCII(in: start) { character in
            isNarrow = character == nil
            return isNarrow
        }
        return isNarrow ? TextEncoding("windows-1252") : nil
    }

    /// Whether a text is UTF-8 beyond doubt: it says so with a mark, or has eight different characters beyond ASCII and
    /// no byte that is none. One in seven characters of GBK looks so, and of eight different ones together one in ten
    /// million; the same ones prove nothing again.
    private static func isSurelyUTF8(_ start: Span<UInt8>) -> Bool {
        if start.count >= 3, (start[0], start[1], start[2]) == (0xEF, 0xBB, 0xBF) { return true }
        var characters: Set<Unicode.Scalar> = []
        var isUTF8 = true
        forEachBeyondASCII(in: start) { character in
            if let character { characters.insert(character) }
            isUTF8 = character != nil
            return isUTF8
        }
        return isUTF8 && characters.count >= 8
    }

    /// The encoding of a text that says itself how it is encoded; nil if it does not.
    fileprivate static func evident(_ start: Span<UInt8>) -> TextEncoding? {
        if let wide = wide(start) { return wide }
        return isSurelyUTF8(start) ? utf8 : nil
    }
}

extension OpenInput {
    /// The encoding of an input's text. What the text itself says counts more than the options, which may be about
    /// another input.
    func encoding(_ options: InputOptions) -> TextEncoding {
        let start = start
        guard let named = options.encoding else {
            return TextEncoding.wide(start.span) ?? .utf8
        }
        guard isText(options) else { return .utf8 }
        return TextEncoding.evident(start.span) ?? named
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

    /// The same input in UTF-8.
    func recoded(from encoding: TextEncoding) throws(InputError) -> OpenInput {
        if encoding.isUTF8 { return self }
        var reopen: (() throws(InputError) -> OpenInput)?
        if isRepeatable {
            reopen = { () throws(InputError) in try self.again().recoded(from: encoding) }
        }
        return try OpenInput(
            RecodedStream(self, encoding, name: name), name: name, reopen: reopen)
    }
}
