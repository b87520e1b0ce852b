import Basics
import Testing

struct VarintTests {
    static let lengths: [(UInt64, Int)] = [
        (0, 1), (1, 1), (127, 1), (128, 2), (300, 2), (16_383, 2), (16_384, 3), (1 << 32, 5),
        (1 << 56 - 1, 8), (1 << 63, 10), (.max, 10),
    ]

    @Test(arguments: lengths)
    func `a varint takes a byte for each seven bits`(value: UInt64, length: Int) {
        var bytes: [UInt8] = [9]
        Varint.append(value, to: &bytes)
        bytes.append(0xFF)
        #expect(bytes.count == length + 2)
        let read = Varint.trusted(in: bytes.span, at: 1)
        #expect(read.value == value && read.next == length + 1)
    }

    @Test(arguments: [0, -1, 1, -2, 2, .max, .min] as [Int64])
    func `signs go to the lowest bit and back`(value: Int64) {
        #expect(Varint.zigzag(Varint.zigzag(value)) == value)
    }

    @Test func `small numbers of either sign are small`() {
        #expect([0, -1, 1, -2, 2].map { Varint.zigzag(Int64($0)) } == [0, 1, 2, 3, 4])
    }

    @Test(arguments: lengths)
    func `what is read with care is what was written, and nothing that has no end`(
        value: UInt64, length: Int
    ) {
        var bytes: [UInt8] = []
        Varint.append(value, to: &bytes)
        #expect(bytes.count == length && Int(exactly: value).map(Varint.size) ?? length == length)
        var offset = 0
        let read = Varint.read(bytes.span, &offset, end: bytes.count)
        #expect(read == value && offset == length)
        offset = 0
        let cut = Varint.read(bytes.span, &offset, end: length - 1)
        #expect(cut == nil)
    }

    @Test func `a number of more than ten bytes has no end`() {
        let bytes = [UInt8](repeating: 0xFF, count: 11)
        var offset = 0
        let read = Varint.read(bytes.span, &offset, end: bytes.count)
        #expect(read == nil)
    }
}
