import JSON
import Testing

struct JSONParserTests {
    static let values: [(text: String, value: JSONValue)] = [
        ("null", nil), (" true ", true), ("false", false), ("\"\"", ""), ("[]", []), ("{}", [:]),
        ("0", 0), ("-1", -1), ("9223372036854775807", .integer(.max)),
        ("-9223372036854775808", .integer(.min)), ("9223372036854775808", .number(0x1p63)),
        ("3.0", 3), ("3e2", 300), ("1.5", .number(1.5)), ("-0", .number(-0.0)),
        ("1E-7", .number(1e-7)),
        ("5e-324", .number(.leastNonzeroMagnitude)), ("1e-400", 0), ("0.1", .number(0.1)),
        ("[1,[2,[]],{\"a\":{}}]", [1, [2, []], ["a": [:]]]),
        ("\u{FEFF}1", 1), ("\t\r\n 1 \n", 1),
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""a\u00e9b\ud83d\ude00c\u0000""#, "aéb😀c\0"), ("\"Zürich 😀\"", "Zürich 😀"),
    ]

    @Test(arguments: values)
    func `a text has one value`(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == value)
    }

    @Test func `minus zero keeps its sign`() throws {
        let zero = try JSONValue(parsing: "-0").asNumber
        #expect(zero?.sign == .minus)
    }

    static let faults: [(text: String, message: String)] = [
        ("", "line 1, column 1: the text ends early"),
        ("[1,\n 2,]", "line 2, column 4: expected a value, found ']'"),
        ("{\"é\" 1}", "line 1, column 6: expected ':', found '1'"),
        ("{\"a\":1,}", "line 1, column 8: expected a key in quotes, found '}'"),
        ("{a:1}", "line 1, column 2: expected a key in quotes, found 'a'"),
        ("[1 2]", "line 1, column 4: expected ',' or ']', found '2'"),
        ("{\"a\":1", "line 1, column 7: the text ends early"),
        ("1 2", "line 1, column 3: something follows the value"),
        ("01", "line 1, column 1: not a number as JSON writes them"),
        ("[1.]", "line 1, column 2: not a number as JSON writes them"),
        ("-", "line 1, column 2: the text ends early"),
        ("1e999", "line 1, column 1: the number is too large"),
        ("NaN", "line 1, column 1: expected a value, found 'N'"),
        ("trux", "line 1, column 4: expected 'true', found 'x'"),
        (#""\x""#, "line 1, column 2: no such escape in a string"),
        (#""\u12g4""#, "line 1, column 2: no such escape in a string"),
        (#""\ud800""#, "line 1, column 2: half of a surrogate pair"),
        (#""\ud800\u0041""#, "line 1, column 2: half of a surrogate pair"),
        (#""\udc00\ud800""#, "line 1, column 2: half of a surrogate pair"),
        ("\"a\nb\"", "line 1, column 3: byte 0x0A must be escaped in a string"),
        ("\"a\u{1F}\"", "line 1, column 3: byte 0x1F must be escaped in a string"),
        ("\u{7F}", "line 1, column 1: expected a value, found byte 0x7F"),
        ("\"a", "line 1, column 3: the text ends early"),
        ("// no", "line 1, column 1: expected a value, found '/'"),
    ]

    @Test(arguments: faults)
    func `a fault is named and located`(text: String, message: String) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
        #expect(error?.description == "not JSON at \(message)")
    }

    @Test func `a byte that may not be there is told as a letter, or by two digits`() {
        for byte: UInt8 in 0..<0x80 {
            let shown =
                (0x21...0x7E).contains(byte)
                ? "'\(Character(Unicode.Scalar(byte)))'"
                : "byte 0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            if byte < 0x20 {
                let text: [UInt8] = [0x22, byte, 0x22]
                let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text.span) }
                #expect(
                    error?.description
                        == "not JSON at line 1, column 2: \(shown) must be escaped in a string")
            }
            guard !"-0123456789\"{[tfn \t\r\n".utf8.contains(byte) else { continue }
            let error = #expect(throws: JSONError.self) { try JSONValue(parsing: [byte].span) }
            #expect(
                error?.description
                    == "not JSON at line 1, column 1: expected a value, found \(shown)")
        }
    }

    @Test func `a fault's byte offset counts bytes, its column scalars`() {
        #expect(
            throws: JSONError.syntax(.trailingText, JSONLocation(line: 2, column: 5, offset: 9))
        ) {
            try JSONValue(parsing: "\n\"é😀\"x")
        }
    }

    @Test func `broken UTF-8 is located`() {
        let bytes: [UInt8] = [0x22, 0x61, 0xC3, 0x28, 0x22]
        #expect(throws: JSONError.syntax(.badUTF8, JSONLocation(line: 1, column: 3, offset: 2))) {
            try JSONValue(parsing: bytes.span)
        }
    }

    @Test func `nesting is bounded`() throws {
        func nested(_ levels: Int) -> String {
            String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        _ = try JSONValue(parsing: nested(128))
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: nested(129)) }
        #expect(error?.description.hasSuffix("column 129: nested deeper than 128 levels") == true)
        // What was closed before counts no more, and no less.
        let siblings = String(repeating: "[{}],", count: 200)
        _ = try JSONValue(parsing: "[\(siblings)\(nested(127))]")
        #expect(throws: JSONError.self) { try JSONValue(parsing: "[\(siblings)\(nested(128))]") }
        #expect(throws: JSONError.self) {
            try JSONValue(parsing: String(repeating: "{\"a\":", count: 100_000))
        }
    }
}
