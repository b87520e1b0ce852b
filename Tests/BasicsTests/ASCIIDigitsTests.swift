import Basics
import Testing

struct ASCIIDigitsTests {
    @Test func `digits are those of ASCII in either case`() {
        for byte in UInt8.min...UInt8.max {
            let digits = byte < 0x80 ? String(Unicode.Scalar(byte)) : ""
            #expect(byte.hexDigit.map(Int.init) == digits.first?.hexDigitValue)
            #expect(byte.isASCIIDigit == (UInt8(digits).map { $0 < 10 } ?? false))
        }
    }
}
