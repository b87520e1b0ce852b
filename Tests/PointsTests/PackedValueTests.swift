import Points
import Testing

struct PackedValueTests {
    @Test func `a packed value is told apart by its kind`() {
        func packed(_ value: AttributeValue) -> [UInt8] {
            var records = RecordBuilder()
            records.append(AttributeKey(number: 300), value)
            return records.bytes
        }
        func read<Result>(_ value: AttributeValue, _ body: (borrowing PackedValue) -> Result)
            -> Result
        {
            let bytes = packed(value)
            var cursor = AttributeRecord(bytes.span).makeCursor()
            let attribute = cursor.next()!
            let isLast = cursor.next() == nil
            #expect(attribute.key.number == 300 && isLast)
            return body(attribute.value)
        }
        #expect(read(.text("ä")) { $0.unpacked } == .text("ä"))
        #expect(read(.text("ä")) { $0.utf8?.count } == 2)
        #expect(read(.text("1")) { $0.number } == nil && read(.text("1")) { $0.bool } == nil)
        #expect(read(.bool(true)) { $0.bool } == true && read(.bool(false)) { $0.bool } == false)
        #expect(read(.bool(true)) { $0.number } == nil)
        #expect(read(.integer(1)) { $0.bool } == nil)
        #expect(read(.integer(1)) { $0.utf8 == nil })
        for number in [0.1, 0.5, -0.25, 1e300, -7, 3, 0x1p53, -0x1p53, 0x1p54] {
            #expect(read(.number(number)) { $0.number } == number)
        }
        #expect(read(.unsigned(.max)) { $0.number } == 0x1p64)
        #expect(read(.unsigned(7)) { $0.unpacked } == .integer(7))
        #expect(read(.number(0x1p54)) { $0.kind == .float })
        #expect(read(.number(0x1p53)) { $0.kind == .unsigned })
    }

    @Test func `whole numbers that are exact are integers`() {
        #expect(AttributeValue(canonical: 3) == .integer(3))
        #expect(AttributeValue(canonical: -0.5) == .number(-0.5))
        #expect(AttributeValue(canonical: 0x1p53) == .integer(1 << 53))
        #expect(AttributeValue(canonical: -0x1p53) == .integer(-1 << 53))
        #expect(AttributeValue(canonical: 0x1p53 + 2) == .number(0x1p53 + 2))
        #expect(AttributeValue.bool(true).asNumber == nil)
        #expect(AttributeValue.text("1").asNumber == nil)
        #expect(AttributeValue.unsigned(5).asNumber == 5)
    }
}
