import Basics
import Testing

/// The digests that RFC 1321 gives (A.5), and that pieces say what the whole says.
struct MD5Tests {
    private func digest(_ text: String) -> String {
        var hash = MD5()
        hash.update(Array(text.utf8).span)
        return hash.finish()
    }

    @Test(arguments: [
        ("", "D41D8CD98F00B204E9800998ECF8427E"), ("a", "0CC175B9C0F1B6A831C399E269772661"),
        ("abc", "900150983CD24FB0D6963F7D28E17F72"),
        ("message digest", "F96B697D7CB7938D525A2F31AAF161D0"),
        ("abcdefghijklmnopqrstuvwxyz", "C3FCD3D76192E4007DFB496CCA67E13B"),
        (
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
            "D174AB98D277D9F5A5611C2C9F419D9F"
        ),
        (
            String(repeating: "1234567890", count: 8), "57EDF4A22BE3C955AC49DA2E2107B67A"
        ),
    ])
    func `texts have the digests that the standard gives`(text: String, expected: String) {
        #expect(digest(text) == expected)
    }

    @Test func `pieces of any size have the digest of the whole`() {
        let bytes = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        for size in [1, 55, 56, 63, 64, 65, 4_095, 4_096, 4_097, 20_000] {
            var hash = MD5()
            for start in stride(from: 0, to: bytes.count, by: size) {
                hash.update(bytes.span.extracting(start..<min(start + size, bytes.count)))
            }
            var whole = MD5()
            whole.update(bytes.span)
            let (pieces, expected) = (hash.finish(), whole.finish())
            #expect(pieces == expected, "\(size)")
        }
    }
}
