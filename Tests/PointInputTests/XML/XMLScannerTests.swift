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
            <a x="1" y = 'two "2"'><!-- <b> - --> <b/>t<c>é&amp;&#x41;&#66;<![CDATA[<&]]]]>!</c >
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
        ("<a><![CDATA[x", .truncated(inside: nil)), ("<a>\u{E9}", .truncated(inside: "a")),
        ("<a></b>", .mismatchedTag(expected: "a", found: "b")),
        ("<a>t<x:b></x:c >", .mismatchedTag(expected: "x:b", found: "x:c")),
        ("<a/><b/>", .behindRoot), ("<a/>x", .behindRoot), ("<a/>0\u{0}", .behindRoot),
        ("</b>", .notWellFormed("not well-formed (invalid token)")),
        ("x<a/>", .notWellFormed("not well-formed (invalid token)")),
        ("<a><!-- -- --></a>", .notWellFormed("not well-formed (invalid token)")),
        ("<a b=1/>", .notWellFormed("not well-formed (invalid token)")),
        ("<a b='<'/>", .notWellFormed("not well-formed (invalid token)")),
        ("<a b/>", .notWellFormed("not well-formed (invalid token)")),
        ("<1/>", .notWellFormed("not well-formed (invalid token)")),
        ("<a b='1' b='2'/>", .repeatedAttribute("b")),
        ("<a>&nbsp;</a>", .unknownEntity("nbsp")), ("<a>&#0;</a>", .unknownEntity("#0")),
        ("<a>&#xD800;</a>", .unknownEntity("#xD800")),
        ("<?xml version='1.0' encoding='klingon'?><a/>", .unknownEncoding("klingon")),
        (String(repeating: "<a>", count: 1_000), .tooDeep(128)),
        (
            "<a " + (0...256).map { "b\($0)='' " }.joined() + "/>",
            .tooLong("list of attributes")
        ),
    ]

    @Test(arguments: broken)
    func `what is not well-formed is named however the bytes arrive`(
        document: String, fault: XMLFault
    ) {
        for step in [1, 7, 1_000] {
            #expect(throws: fault) { try Self.tags(of: document, step: step) }
        }
    }

    @Test func `as many attributes as may be are taken`() throws {
        let attributes = (0..<256).map { "b\($0)='' " }.joined()
        let tags = try Self.tags(of: "<a \(attributes)/>")
        #expect(tags.count == 2 && tags[0].split(separator: " ").count == 257)
    }

    @Test func `an encoding is told by the first bytes or by the declaration`() throws {
        let wide = "\u{FEFF}<a>é</a>".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try Self.tags(of: wide) == ["a", "/a é"])
        let latin = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8) + [0xE9]
        #expect(try Self.tags(of: latin + Array("</a>".utf8)) == ["a", "/a é"])
        #expect(throws: XMLFault.notUTF8) {
            try Self.tags(of: Array("<a b='".utf8) + [0xFF] + Array("'/>".utf8))
        }
    }

    @Test func `entities stand for a little, never for much, and for no other file`() throws {
        func document(_ entities: String, _ text: String) -> String {
            "<!DOCTYPE a [\(entities)]><a>\(text)</a>"
        }
        let few = document("<!ENTITY l 'lol'><!ENTITY m '&l;&l;'>", "&m;!")
        #expect(try Self.tags(of: few) == ["a", "/a lollol!"])
        let laughs = (1...30).map { "<!ENTITY l\($0) '&l\($0 - 1);&l\($0 - 1);'>" }.joined()
        #expect(throws: XMLFault.tooLong("text that its entities stand for")) {
            try Self.tags(of: document("<!ENTITY l0 'lol'>" + laughs, "&l30;"), step: 1 << 16)
        }
        let stranger = document("<!ENTITY p SYSTEM 'file:///etc/hostname'>", "&p;")
        #expect(try Self.tags(of: stranger) == ["a", "/a "])
    }

    @Test func `a tag, a comment and a text may only be so long`() {
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        for (start, what, megabytes) in [
            ("<a b='", "tag or comment", 1), ("<!--", "tag or comment", 1), ("<a>", "text", 16),
        ] {
            var pieces = 0
            var scanner = XMLScanner { buffer in
                buffer += pieces == 0 ? Array(start.utf8) : long
                pieces += 1
            }
            #expect(throws: XMLFault.tooLong(what)) {
                while try scanner.next() != .endOfDocument {}
            }
            #expect((megabytes + 1...megabytes + 3).contains(pieces), "\(pieces)")
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
