import HTTP
import JSON
import TestSupport
import TileService
import Testing

struct MarkupCleanerTests {
    @Test(arguments: [
        ("", ""), ("© OpenStreetMap", "© OpenStreetMap"),
        ("a &amp; b &copy; c", "a &amp; b &copy; c"),
        ("1 < 2 <3", "1 < 2 <3"), ("a<b", "a"), ("a <", "a &lt;"),
        ("<<script>x</script>b", "&lt;b"),
        (
            "<a href=\"https://a.example/b?c=d&amp;e#f\" target=_blank>text</a>",
            "<a href=\"https://a.example/b?c=d&amp;e#f\">text</a>"
        ),
        ("<A HREF='HTTP://a.example'>x</A>", "<a href=\"HTTP://a.example\">x</a>"),
        ("<a href=mailto:a@b.example>x", "<a href=\"mailto:a@b.example\">x</a>"),
        ("<a\nhref = 'https://a' onclick='x()'>y</a >z", "<a href=\"https://a\">y</a>z"),
        (
            "<a href='https://a\"onmouseover=x'>y</a>",
            "<a href=\"https://a&quot;onmouseover=x\">y</a>"
        ),
        // A quote with an accent is one letter to people, and a quote to browsers.
        (
            "<a href='https://a\"\u{301}/onmouseover=x'>y</a>",
            "<a href=\"https://a&quot;\u{301}/onmouseover=x\">y</a>"
        ),
        ("<a href='javascript:x'>y</a>", "y"), ("<a href=' jAvAsCrIpT:x'>y</a>", "y"),
        ("<a href='java&#115;cript:x'>y</a>", "y"), ("<a href='//a.example'>y</a>", "y"),
        ("<a href='&#104;ttps://a'>y</a>", "y"), ("<a href='https://a b'>y</a>", "y"),
        ("<a href='data:text/html,x'>y</a>", "y"), ("<a>y</a>", "y"), ("y</a>", "y"),
        (
            "<a href='https://a'>x<a href='https://b'>y</a>z",
            "<a href=\"https://a\">x</a><a href=\"https://b\">y</a>z"
        ),
        ("<a x='>' href='https://a'>y</a>", "<a href=\"https://a\">y</a>"),
        ("<a href='javascript:x' href='https://a'>y</a>", "y"),
        ("a<script>alert(1)</script>b", "ab"), ("a<SCRIPT src=//x>y", "a"),
        ("a<script>'</scrip>'</script >b", "ab"), ("a<style>x</style>b", "ab"),
        ("<img src=x onerror=alert(1)>a", "a"), ("<svg/onload=x><a>y</a></svg>b", "b"),
        ("<b>bold</b> <i class=x>thin</i>", "bold thin"), ("a<br>b", "a b"),
        ("a<!-- <a href='https://a'> -->b", "ab"), ("a<!-- b", "a"), ("a<!doctype>b", "ab"),
        ("a<?xml?>b", "ab"), ("a</ >b", "ab"), ("a<\u{0}script>b", "a&lt;script>b"),
        ("<scr<script>x</script>ipt>b", "xipt>b"),
        ("a\u{1}\u{7F}b\nc", "ab c"), ("&lt;script&gt;", "&lt;script&gt;"),
    ])
    func `text and plain links stay, and nothing else`(markup: String, cleaned: String) {
        #expect(MarkupCleaner.clean(markup) == cleaned)
    }

    /// Whether each `<` begins a plain link, ends one, or cannot begin a tag.
    static func isHarmless(_ text: String) -> Bool {
        let parts = text.split(separator: "<", omittingEmptySubsequences: false)
        return parts.dropFirst().allSatisfy { part in
            if part.hasPrefix("/a>") || part.hasPrefix(" ") || part.first?.isNumber == true {
                return true
            }
            guard part.hasPrefix("a href=\"") else { return false }
            let address = part.dropFirst(8).prefix { $0 != "\"" }
            let schemes = ["http://", "https://", "mailto:"]
            return part.dropFirst(8 + address.count).hasPrefix("\">")
                && !address.contains { "<>' ".contains($0) }
                && schemes.contains { address.lowercased().hasPrefix($0) }
        }
    }

    @Test func `no mixture of pieces makes a tag`() {
        let pieces = [
            "<", ">", "/", "a", "A", " ", "href", "=", "\"", "'", "https://x", "javascript:y",
            "mailto:z", "script", "<script>", "</script>", "<a href=\"https://q\">", "</a>", "<!--",
            "-->", "!", "?", "&lt;", "\u{0}", "\n", "1", "é", "<b>", "onclick=", "<svg", "<a ",
        ]
        var random = SeededRandom(seed: 3)
        var failures: [String] = []
        for _ in 0..<5_000 {
            let count = Int(random.next() % 12)
            let markup = (0..<count).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }
                .joined()
            let cleaned = MarkupCleaner.clean(markup)
            if !Self.isHarmless(cleaned) || MarkupCleaner.clean(cleaned) != cleaned {
                failures.append("\(markup) gives \(cleaned)")
            }
        }
        #expect(failures == [])
    }

    @Test func `what is endless is cut`() {
        let long = String(repeating: "a", count: MarkupCleaner.longest + 1)
        #expect(MarkupCleaner.clean(long).utf8.count == MarkupCleaner.longest)
        let links = String(repeating: "<", count: 1 << 20)
        #expect(MarkupCleaner.clean(links).utf8.count <= 4 * MarkupCleaner.longest)
    }

    @Test func `an archive's own words are clean in all documents`() throws {
        let folder = try SampleFolder()
        let hostile = "x<img src=x onerror=alert(1)><a href=\"https://ok.example\">ok</a>"
        try folder.writeForeign(
            "a.mbtiles",
            metadata: [
                "name": "a", "format": "pbf", "attribution": hostile, "description": hostile,
            ], tiles: [(0, 0, 0, [0x1A, 0x00])])
        let service = folder.service()
        let document = try service.json("/a")
        for name in ["attribution", "description"] {
            #expect(
                try document.required(name).string == "x<a href=\"https://ok.example\">ok</a>")
        }
        for path in ["/a", "/a/style.json", "/catalog", "/"] {
            #expect(!service.get(path).text.contains("onerror"))
        }
    }
}
