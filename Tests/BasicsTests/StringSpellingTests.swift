import Basics
import Testing

struct StringSpellingTests {
    @Test(arguments: [
        ("", ""), ("plain", "plain"), ("a\"b", "a**b"), ("a\"\u{301}b", "a**\u{301}b"),
        ("one\r\ntwo", "one\r|two"), ("\u{301}\"", "\u{301}**"), ("\"\u{200D}\"", "**\u{200D}**"),
    ])
    func `each scalar is spelled by itself`(text: String, spelled: String) {
        let found = text.spelling(["\"": "**", "\n": "|"])
        #expect(Array(found.utf8) == Array(spelled.utf8))
    }
}
