import ArchiveContract
import Testing

struct ShortCountTests {
    @Test func `halves round up, tenths show below ten, whole units stand alone`() {
        let wanted: [UInt64: String] = [
            0: "0", 999: "999", 1_000: "1k", 1_049: "1k", 1_050: "1.1k", 1_949: "1.9k",
            1_950: "2k", 2_000: "2k", 9_949: "9.9k", 9_950: "10k", 10_499: "10k", 10_500: "11k",
            999_499: "999k", 999_500: "1M", 1_250_000: "1.3M", 9_949_999: "9.9M",
            9_950_000: "10M", 999_499_999: "999M", 999_500_000: "1G", 1_250_000_000: "1.3G",
            9_949_999_999: "9.9G", 9_950_000_000: "10G", 123_456_789_012: "123G",
        ]
        for (count, text) in wanted { #expect(AbbreviatedCount(count).text == text) }
    }
}
