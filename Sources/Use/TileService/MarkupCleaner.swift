import Basics

/// Converts untrusted markup to text with plain links: an archive's metadata is shown on pages, and
/// MapLibre GL JS before 6.4.1 runs script from it (GHSA-jrc7-96c5-q579).
///
/// Links to `http`, `https` and `mailto` addresses stay, without any other attribute. Of other
/// elements only the text stays; scripts and style sheets are removed. Entities stay as they are:
/// nothing here turns them into markup.
package struct MarkupCleaner {
    /// The most bytes that are kept: the text is shown at a page's edge.
    package static let longest = 16 << 10

    private let bytes: [UInt8]
    private var offset = 0
    private var cleaned: [UInt8] = []
    /// Whether the last character is a `<` as text: the next one decides whether it may stay.
    private var hasOpenAngle = false
    private var isInLink = false

    private init(_ text: String) { bytes = Array(text.utf8.prefix(Self.longest)) }

    package static func clean(_ text: String) -> String {
        var cleaner = MarkupCleaner(text)
        cleaner.run()
        return String(decoding: cleaner.cleaned, as: UTF8.self)
    }

    private mutating func run() {
        while offset < bytes.count {
            let byte = bytes[offset]
            guard byte == UInt8(ascii: "<"), let tag = Tag(in: bytes, at: offset) else {
                offset += 1
                put(byte)
                continue
            }
            offset = tag.end
            switch tag.name {
            case "a" where tag.isClosing: closeLink()
            case "a": openLink(to: tag.plainAddress)
            case "script", "style", "template", "iframe", "noscript", "xmp", "noembed", "noframes",
                "plaintext", "textarea", "title", "select", "svg", "math", "object":
                if !tag.isClosing { skip(to: tag.name) }
            case "br", "p", "div", "li": put(UInt8(ascii: " "))
            default: break
            }
        }
        endAngle(before: UInt8(ascii: "/"))
        closeLink()
    }

    private mutating func put(_ byte: UInt8) {
        endAngle(before: byte)
        switch byte {
        case UInt8(ascii: "<"): hasOpenAngle = true
        case 9, 10, 13: cleaned.append(UInt8(ascii: " "))
        // Control characters have no meaning, and some readers skip them.
        case 0..<0x20, 0x7F: break
        default: cleaned.append(byte)
        }
    }

    /// Keeps a `<` if no tag can begin with it; otherwise escapes it.
    private mutating func endAngle(before next: UInt8) {
        guard hasOpenAngle else { return }
        hasOpenAngle = false
        let isHarmless = next == UInt8(ascii: " ") || next.isASCIIDigit
        cleaned += (isHarmless ? "<" : "&lt;").utf8
    }

    private mutating func openLink(to address: String?) {
        closeLink()
        guard let address else { return }
        endAngle(before: UInt8(ascii: "/"))
        cleaned += "<a href=\"\(address)\">".utf8
        isInLink = true
    }

    private mutating func closeLink() {
        guard isInLink else { return }
        endAngle(before: UInt8(ascii: "/"))
        cleaned += "</a>".utf8
        isInLink = false
    }

    /// Continues after the end tag of an element, or at the end if it has none.
    private mutating func skip(to name: String) {
        while offset < bytes.count {
            if bytes[offset] == UInt8(ascii: "<"), let tag = Tag(in: bytes, at: offset),
                tag.isClosing, tag.name == name
            {
                offset = tag.end
                return
            }
            offset += 1
        }
    }
}

extension MarkupCleaner {
    /// A tag, comment or the like, by the rules of HTML readers (HTML, 13.2.5).
    private struct Tag {
        /// In lower case; empty for comments and the like.
        var name = ""
        var isClosing = false
        /// The offset after its `>`, or the end of the text.
        var end: Int
        private var address: String?

        /// Nil if the `<` is plain text.
        init?(in bytes: [UInt8], at start: Int) {
            var offset = start + 1
            guard offset < bytes.count else { return nil }
            if bytes[offset] == UInt8(ascii: "!") || bytes[offset] == UInt8(ascii: "?") {
                end = Self.endOfComment(in: bytes, at: start)
                return
            }
            isClosing = bytes[offset] == UInt8(ascii: "/")
            if isClosing { offset += 1 }
            let rest = bytes[min(offset, bytes.count)...]
            guard let first = rest.first, first.isASCIILetterOrDigit, !first.isASCIIDigit else {
                guard isClosing else { return nil }
                // Anything that is not an end tag is a comment.
                end = (rest.firstIndex(of: UInt8(ascii: ">")) ?? bytes.count - 1) + 1
                return
            }
            let text = rest.prefix { !Self.isSpace($0) && $0 != 0x2F && $0 != 0x3E }
            name = String(decoding: text, as: UTF8.self).lowercased()
            end = text.endIndex
            readAttributes(bytes)
        }

        private static func endOfComment(in bytes: [UInt8], at start: Int) -> Int {
            let rest = bytes[start...]
            guard rest.starts(with: "<!--".utf8) else {
                return (rest.firstIndex(of: UInt8(ascii: ">")) ?? bytes.count - 1) + 1
            }
            var offset = start + 2
            while offset < bytes.count, !bytes[offset...].starts(with: "-->".utf8) { offset += 1 }
            return min(offset + 3, bytes.count)
        }

        private static func isSpace(_ byte: UInt8) -> Bool {
            [9, 10, 12, 13, 32].contains(byte)
        }

        /// Moves `end` after the tag, and keeps the first `href`.
        private mutating func readAttributes(_ bytes: [UInt8]) {
            while end < bytes.count, bytes[end] != UInt8(ascii: ">") {
                if Self.isSpace(bytes[end]) || bytes[end] == UInt8(ascii: "/") {
                    end += 1
                    continue
                }
                let start = end
                // A name may begin with `=`.
                repeat {
                    end += 1
                } while end < bytes.count && !Self.isSpace(bytes[end])
                    && !"/>=".utf8.contains(bytes[end])
                let name = String(decoding: bytes[start..<end], as: UTF8.self).lowercased()
                let value = readValue(bytes)
                if name == "href", address == nil {
                    address = String(decoding: value, as: UTF8.self)
                }
            }
            end = min(end + 1, bytes.count)
        }

        /// The value after a name; empty if there is none.
        private mutating func readValue(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
            skipSpace(bytes)
            guard end < bytes.count, bytes[end] == UInt8(ascii: "=") else { return [] }
            end += 1
            skipSpace(bytes)
            guard end < bytes.count else { return [] }
            let quote = bytes[end]
            if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                let value = bytes[(end + 1)...].prefix { $0 != quote }
                end = min(value.endIndex + 1, bytes.count)
                return value
            }
            let value = bytes[end...].prefix { !Self.isSpace($0) && $0 != UInt8(ascii: ">") }
            end = value.endIndex
            return value
        }

        private mutating func skipSpace(_ bytes: [UInt8]) {
            while end < bytes.count, Self.isSpace(bytes[end]) { end += 1 }
        }

        /// The address, ready to be put in quotes, if it is that of a page or a mailbox. The scheme
        /// must be written plainly, so that no entity can hide another.
        var plainAddress: String? {
            guard let address else { return nil }
            let text = String(address.drop { $0 == " " || $0 == "\n" || $0 == "\t" })
            let start = text.prefix(8).lowercased()
            guard ["http://", "https://", "mailto:"].contains(where: start.hasPrefix),
                text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
            else { return nil }
            return text.spelling(["\"": "&quot;", "<": "&lt;", ">": "&gt;", "'": "&#39;"])
        }
    }
}
