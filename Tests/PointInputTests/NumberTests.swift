import Foundation
import PointInput
import TestSupport
import Testing

struct NumberTests {
    @Test func `every number is rounded as the C library rounds it`() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<40_000 {
            let text = Self.randomNumber(&random)
            let value = NumberText.double(text)
            #expect(value?.bitPattern == strtod(text, nil).bitPattern, "\(text)")
        }
    }

    @Test(arguments: [63, 64, 1_000, 10_000])
    func `a number may have any number of digits`(count: Int) {
        let digits = String(repeating: "7", count: count)
        #expect(NumberText.double("0.\(digits)") == strtod("0.\(digits)", nil))
        #expect(NumberText.double(digits) == strtod(digits, nil))
        #expect(NumberText.double(digits + "x") == nil)
    }

    @Test(arguments: [
        "", "-", "01", "1.", ".5", "1e", "1e+", "+1", "0x1", "1 ", "--1", "1.e3", "NaN",
    ])
    func `what JSON doesn't call a number is none`(text: String) {
        #expect(NumberText.double(text) == nil)
    }

    /// Behind each part of a number, every byte.
    @Test func `a number goes on with digits, and ends with any other byte`() {
        for start in ["7", "-3", "1.5", "2e1", "2E+1", "4.5e-1"] {
            for byte in UInt8(1)...127 {
                let last = Character(UnicodeScalar(byte))
                let isPoint = last == "." && !start.contains { ".eE".contains($0) }
                let isDigit = "0"..."9" ~= last
                let value = NumberText.double("\(start)\(last)")
                #expect((value != nil) == isDigit, "\(start)\(last)")
                let whole = isPoint ? NumberText.double("\(start).5") : value
                #expect(
                    whole
                        == (isPoint
                            ? strtod("\(start).5", nil)
                            : isDigit ? strtod("\(start)\(last)", nil) : nil))
            }
        }
    }

    private static func randomNumber(_ random: inout SeededRandom) -> String {
        func digits(_ count: Int) -> String {
            String((0..<count).map { _ in Character("\(random.next() % 10)") })
        }
        var text = random.next() % 2 == 0 ? "-" : ""
        text +=
            random.next() % 3 == 0
            ? "0" : "\(1 + random.next() % 9)" + digits(Int(random.next() % 12))
        if random.next() % 4 > 0 { text += "." + digits(1 + Int(random.next() % 20)) }
        if random.next() % 5 == 0 { text += "e\(Int(random.next() % 640) - 330)" }
        return text
    }
}
