import HTTP
import Testing

struct ByteRangeRequestTests {
    @Test(
        arguments: [
            (nil, ByteRangeRequest.whole), ("bytes=0-9", .part(0..<10)),
            ("bytes=5-", .part(5..<100)),
            ("bytes=-10", .part(90..<100)), ("bytes=-1000", .part(0..<100)),
            ("bytes=99-200", .part(99..<100)), ("BYTES=1-1", .part(1..<2)),
            ("bytes=100-", .unsatisfiable), ("bytes=-0", .unsatisfiable),
            ("bytes=5-4", .whole), ("bytes=-", .whole), ("bytes=a-b", .whole),
            ("lines=1-2", .whole),
            ("bytes=0-1,5-6", .whole), ("bytes=1-+2", .whole),
            ("bytes=99999999999999999999-", .unsatisfiable),
            ("bytes=99999999999999999999-99999999999999999999", .unsatisfiable),
            ("bytes=5-99999999999999999999", .part(5..<100)),
            ("bytes=-99999999999999999999", .part(0..<100)),
            ("bytes=0x1-", .whole),
        ] as [(String?, ByteRangeRequest)])
    func `a range of a hundred bytes`(_ header: String?, _ expected: ByteRangeRequest) {
        #expect(ByteRangeRequest(header, of: 100) == expected)
    }

    @Test func `nothing has no ranges`() {
        #expect(ByteRangeRequest("bytes=0-", of: 0) == .unsatisfiable)
        #expect(ByteRangeRequest("bytes=-5", of: 0) == .unsatisfiable)
    }
}
