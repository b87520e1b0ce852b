import TestSupport
import Testing

@testable import PointInput

/// Decimals of any scale, against what their whole number is worth.
struct ColumnNumberTests {
    private static func bytes(_ number: Int64, count: Int, isBigEndian: Bool) -> [UInt8] {
        let bytes = (0..<count).map { index in
            index < 8
                ? UInt8(truncatingIfNeeded: number >> Int64(8 * index)) : number < 0 ? 0xFF : 0
        }
        return isBigEndian ? bytes.reversed() : bytes
    }

    @Test func `a decimal is its whole number divided by a power of ten`() {
        var random = SeededRandom(seed: 910)
        let powers = (0...22).map { (0..<$0).reduce(1.0) { power, _ in power * 10 } }
        for round in 0..<400 {
            let size = [2, 4, 8, 16][round % 4]
            let limit: Int64 = size == 2 ? 30_000 : 2_000_000_000
            let number = Int64.random(in: -limit...limit, using: &random)
            let isBigEndian = random.next() % 2 == 0
            let bytes = Self.bytes(number, count: size, isBigEndian: isBigEndian)
            let scale = Int.random(in: -5...22, using: &random)
            let found = ColumnNumber.decimal(bytes.span, scale: scale, isBigEndian: isBigEndian)
            let wanted =
                scale < 0 ? Double(number) * powers[-scale] : Double(number) / powers[scale]
            #expect(abs(found - wanted) <= 1e-12 * abs(wanted), "\(number) \(scale)")
        }
        for (number, wanted) in [(Int64.max, 0x1p63), (.min, -0x1p63), (-1, -1), (0, 0)] {
            let bytes = Self.bytes(number, count: 8, isBigEndian: true)
            let found = ColumnNumber.decimal(bytes.span, scale: 0, isBigEndian: true)
            #expect(found == wanted)
        }
        let nothing: [UInt8] = []
        let none = ColumnNumber.decimal(nothing.span, scale: 0, isBigEndian: true)
        #expect(none.isNaN)
    }
}
