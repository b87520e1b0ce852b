import Foundation
import PointInput
import TestSupport
import Testing

/// Numbers that lie halfway between two doubles, or as near to it as a text can say.
struct NearTieTests {
    private func expectRounding(_ text: String) {
        #expect(
            NumberText.double(text)?.bitPattern == strtod(text, nil).bitPattern, "\(text)")
    }

    @Test(arguments: [
        // Ties go to the even neighbour, and a digit more on either side decides.
        "9007199254740992", "9007199254740993", "9007199254740994", "9007199254740995",
        "9007199254740993.0", "9007199254740993.00000000000000000001",
        "9007199254740992.99999999999999999999", "9007199254740991", "9007199254740992.5",
        "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126",
        "1.00000000000000033306690738754696212708950042724609375",
        "0.500000000000000166533453693773481063544750213623046875",
        // The edges of what a double is.
        "4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324",
        "2.2250738585072011e-308", "2.2250738585072014e-308", "1.7976931348623157e308",
        "1.7976931348623158e308", "1.7976931348623159e308", "1e308", "1e309", "1e-400", "0",
        "0.0",
        "0e5", "0e400", "0.0e-400",
        // Known to have been rounded wrongly by others.
        "2.2250738585072012e-308", "6.631236846766476e-316",
        "3.2378839133029012895883524125015e-319",
        "7.0420557077594588669468784357561207962098443483187940792729600000e59",
        "5e-324", "8.5e-19", "3.5e22", "3.5e23", "123456789e-22", "123456789e-23",
        // Nineteen digits are one word, twenty are not.
        "9223372036854775807", "9223372036854775808", "9999999999999999999", "18446744073709551615",
        "18446744073709551616", "99999999999999999999", "0.9999999999999999999",
        "0.99999999999999999999", "999999999999999.9", "9999999999999999.9", "1234567890123456.7",
    ])
    func `a number at the edge is rounded as the C library rounds it`(text: String) {
        expectRounding(text)
        expectRounding("-" + text)
    }

    @Test func `ties of every power are rounded to even`() {
        var random = SeededRandom(seed: 19)
        for power in 0..<11 {
            for _ in 0..<300 {
                // An odd number of 54 bits is a tie, whatever power of two it is multiplied by.
                let odd = (1 << 53) + (random.next() & ((1 << 53) - 1)) | 1
                guard
                    let tie = UInt64(
                        exactly: odd.multipliedReportingOverflow(by: 1 << power).partialValue),
                    odd.leadingZeroBitCount >= power
                else { continue }
                for text in ["\(tie)", "\(tie - 1)", "\(tie + 1)", "\(tie).5", "\(tie)e0"] {
                    expectRounding(text)
                }
            }
        }
    }

    @Test func `halves, quarters and their like are exact or ties`() {
        var random = SeededRandom(seed: 20)
        for _ in 0..<2_000 {
            // A whole number of 51 to 54 bits and some bits behind the point.
            let bits = 51 + random.next() % 4
            let whole = (1 << (bits - 1)) + (random.next() & ((1 << (bits - 1)) - 1))
            for fraction in ["5", "25", "75", "125", "375", "0625", "4999999999", "5000000001"] {
                expectRounding("\(whole).\(fraction)")
            }
        }
    }
}
