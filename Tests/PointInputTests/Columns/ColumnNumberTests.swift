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
        // A number past 64 bits has the nearest value, too: cents with the scales that programs choose by themselves.
        for round in 0..<400 {
            let cents = Int.random(in: -999_999...999_999, using: &random)
            let scale = [18, 24, 30][round % 3]
            let power = (2..<scale).reduce(Int128(1)) { power, _ in power * 10 }
            for size in [16, 32] {
                let number = Int128(cents) * power
                let bytes = (0..<size).reversed().map { index in
                    UInt8(truncatingIfNeeded: number >> Int128(min(8 * index, 127)))
                }
                let found = ColumnNumber.decimal(bytes.span, scale: scale, isBigEndian: true)
                #expect(found == Double("\(cents)e-2"), "\(cents) \(scale) \(size)")
            }
        }
        let long = [UInt8](repeating: 0x7F, count: 40)
        let large = ColumnNumber.decimal(long.span, scale: 0, isBigEndian: true)
        #expect(large == Double(0x7F7F_7F7F_7F7F_7F7F as UInt64) * 0x1p256)
        let nothing: [UInt8] = []
        let none = ColumnNumber.decimal(nothing.span, scale: 0, isBigEndian: true)
        #expect(none.isNaN)
    }
}
