import JSON
import TestSupport
import Testing

struct JSONWriterTests {
    static let document: JSONValue = [
        "name": "a \"b\"\n\u{1}é", "bounds": [-1.5, 0, 1e21, -0.0], "none": [], "empty": [:],
        "layers": [["id": "x"], nil],
    ]

    @Test func `compact text has no space`() {
        #expect(
            Self.document.text()
                == #"{"name":"a \"b\"\n\u0001é","bounds":[-1.5,0,1e+21,-0],"none":[],"empty":{},"#
                + #""layers":[{"id":"x"},null]}"#)
    }

    @Test func `pretty text keeps plain arrays on one line`() {
        #expect(
            Self.document.text(.pretty) == #"""
                {
                  "name": "a \"b\"\n\u0001é",
                  "bounds": [-1.5, 0, 1e+21, -0],
                  "none": [],
                  "empty": {},
                  "layers": [
                    {
                      "id": "x"
                    },
                    null
                  ]
                }
                """#)
    }

    @Test func `whole numbers are written exactly, up to 2^64 − 1`() {
        let numbers: [UInt64] = [0, UInt64(Int64.max), 1 << 63, .max]
        #expect(numbers.map { JSONValue(exactly: $0).text() } == numbers.map(\.description))
        #expect(JSONValue(exactly: 7) == 7 && JSONValue(exactly: .max).asNumber == 0x1p64)
        #expect(JSONValue(exactly: .max).kindInWords == "a number")
    }

    @Test func `numbers have the fewest digits that read back`() {
        let texts = [0.1, 100, 0.1 + 0.2, 123456789012345680, .infinity, .nan].map {
            JSONValue.number($0).text()
        }
        #expect(
            texts == [
                "0.1", "100", "0.30000000000000004", "1.2345678901234568e+17", "null", "null",
            ])
    }

    @Test func `what is written reads back the same`() throws {
        var random = SeededRandom(seed: 11)
        for _ in 0..<2_000 {
            let value = Self.randomValue(depth: 4, &random)
            #expect(try JSONValue(parsing: value.text(.compact)) == value)
            #expect(try JSONValue(parsing: value.text(.pretty)) == value)
        }
    }

    @Test func `a mangled text is refused or read, never worse`() throws {
        var random = SeededRandom(seed: 12)
        let original = Array(Self.document.text().utf8)
        var refused = 0
        for _ in 0..<5_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8(random.next() & 0xFF)
            }
            bytes.removeLast(Int.random(in: 0...3, using: &random))
            do {
                let value = try JSONValue(parsing: bytes.span)
                #expect(try JSONValue(parsing: value.text()) == value)
            } catch {
                refused += 1
            }
        }
        #expect((3_000..<5_000).contains(refused))
    }

    static func randomValue(depth: Int, _ random: inout SeededRandom) -> JSONValue {
        switch random.next() % (depth > 0 ? 8 : 6) {
        case 0: return .null
        case 1: return .bool(random.next() & 1 == 0)
        case 2: return .integer(Int64(bitPattern: random.next()))
        case 3: return JSONValue(canonical: Double(random.next() % 1000) / 8)
        case 4:
            let number = Double(bitPattern: random.next())
            return JSONValue(canonical: number.isFinite ? number : 0)
        case 5: return .string(randomText(&random))
        case 6:
            return .array(
                (0..<random.next() % 5).map { _ in randomValue(depth: depth - 1, &random) })
        default:
            return .object(
                JSONObject(
                    (0..<random.next() % 5).map { _ in
                        .init(
                            key: randomText(&random),
                            value: randomValue(depth: depth - 1, &random))
                    }))
        }
    }

    static func randomText(_ random: inout SeededRandom) -> String {
        var text = ""
        for _ in 0..<random.next() % 8 {
            let code = UInt32(random.next() % (random.next() & 1 == 0 ? 0x80 : 0x11_0000))
            text.unicodeScalars.append(Unicode.Scalar(code) ?? "\"")
        }
        return text
    }
}
