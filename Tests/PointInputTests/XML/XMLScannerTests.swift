import PointInput
import TestSupport
import Testing

struct XMLScannerTests {
    /// A document as a list of `name attr=value…`, `/name text`, in the order of its tags.
    static func tags(of document: [UInt8], step: Int = 7) throws -> [String] {
        var rest = document[...]
        var scanner = XMLScanner { buffer in
            buffer += rest.prefix(step)
            rest = rest.dropFirst(step)
        }
        var tags: [String] = []
        while true {
            let text = { String(decoding: scanner.text, as: UTF8.self) }
            switch try scanner.next() {
            case .start:
                tags.append(
                    scanner.name + scanner.attributes.map { " \($0.name)=\($0.value)" }.joined())
            case .end: tags.append("/\(scanner.name) \(text())")
            case .endOfDocument: return tags
            }
        }
    }

    static func tags(of document: String, step: Int = 7) throws -> [String] {
        try tags(of: Array(document.utf8), step: step)
    }

    @Test(arguments: [1, 2, 3, 5, 1_000])
    func `tags, attributes and texts come in order however the bytes arrive`(step: Int) throws {
        let document = """
            \u{FEFF}<?xml version="1.0" encoding='UTF-8' ?>
            <!DOCTYPE a [<!ENTITY b "c>">]>
            <a x="1" y = 'two "2"'><!-- <b> -- --> <b/>t<c>é&amp;&#x41;&#66;<![CDATA[<&]]]]>!</c >
            </a><!-- end -->

            """
        #expect(
            try Self.tags(of: document, step: step) == [
                "a x=1 y=two \"2\"", "b", "/b ", "c", "/c é&AB<&]]!", "/a \n",
            ])
    }

    @Test func `line ends are one line feed and blanks in attributes are spaces`() throws {
        #expect(
            try Self.tags(of: "<a b='x\ty\nz'>1\r\n2\r3\n</a>") == ["a b=x y z", "/a 1\n2\n3\n"])
    }

    static let broken: [(String, XMLFault)] = [
        ("", .noRoot), ("  ", .noRoot), ("<!-- x", .truncated(inside: nil)),
        ("<a><b>x", .truncated(inside: "b")), ("<a b='", .truncated(inside: nil)),
        ("<a></b>", .mismatchedTag(expected: "a", found: "b")),
        ("</b>", .mismatchedTag(expected: nil, found: "b")),
        ("<a/><b/>", .secondRoot), ("x<a/>", .unexpected(0x78, wanted: "a tag")),
        ("<a/>x", .unexpected(0x78, wanted: "a tag")),
        ("<a b=1/>", .unexpected(0x31, wanted: "a quoted value")),
        ("<a b='<'/>", .unexpected(0x3C, wanted: "a quote")),
        ("<a b/>", .unexpected(0x2F, wanted: "=")), ("<a / >", .unexpected(0x20, wanted: ">")),
        ("<1/>", .unexpected(0x31, wanted: "a name")),
        ("<a b='1' b='2'/>", .repeatedAttribute("b")),
        ("<a>&nbsp;</a>", .unknownEntity("nbsp")), ("<a>&#0;</a>", .unknownEntity("#0")),
        ("<a>&#xD800;</a>", .unknownEntity("#xD800")), ("<a>&#+5;</a>", .unknownEntity("#+5")),
        (
            "<!DOCTYPE a [<!ENTITY lol \"lol\"><!ENTITY l2 \"&lol;&lol;\">]><a>&l2;</a>",
            .unknownEntity("l2")
        ),
        ("<?xml version='1.0' encoding='latin1'?><a/>", .unknownEncoding("latin1")),
        (String(repeating: "<a>", count: 1_000), .tooDeep(128)),
        ("<" + String(repeating: "a", count: 2_000), .tooLong("name")),
    ]

    @Test(arguments: broken)
    func `what is not well-formed is named`(document: String, fault: XMLFault) {
        #expect(throws: fault) { try Self.tags(of: document) }
    }

    @Test func `encodings that are not read are told by their first bytes`() {
        #expect(throws: XMLFault.unknownEncoding("UTF-16 or UTF-32")) {
            try Self.tags(of: [0xFF, 0xFE, 0x3C, 0, 0x61, 0])
        }
        #expect(throws: XMLFault.notUTF8) { try Self.tags(of: [0xEF, 0xBB, 0x3C]) }
        #expect(throws: XMLFault.notUTF8) {
            try Self.tags(of: Array("<a b='".utf8) + [0xFF] + Array("'/>".utf8))
        }
    }

    @Test func `a fault is on the line that the scanner has come to`() {
        var rest = Array("<a>\n\r\n<b>\n</c>\n</a>".utf8)
        var scanner = XMLScanner { buffer in
            buffer += rest
            rest = []
        }
        #expect(throws: XMLFault.mismatchedTag(expected: "b", found: "c")) {
            while try scanner.next() != .endOfDocument {}
        }
        #expect(scanner.line == 4)
    }

    @Test func `random damage is answered, never a crash`() {
        let document = Array(
            "<?xml version='1.0'?><a><b c='d'>&lt;e</b><![CDATA[f]]><!--g--></a>".utf8)
        var random = SeededRandom(seed: 3)
        var refused = 0
        for _ in 0..<20_000 {
            var bytes = document
            for _ in 0..<2 {
                let place = Int(random.next() % UInt64(bytes.count))
                bytes[place] = UInt8(truncatingIfNeeded: random.next() & 0x7F)
            }
            if (try? Self.tags(of: bytes)) == nil { refused += 1 }
        }
        #expect(refused > 1_000 && refused < 20_000)
    }
}
