import Points
import Testing

@testable import Tileset

/// Numbers in files of jobs, at the edges of what they may be.
struct JobNumbersTests {
    private static func source(_ numbers: [Int]) -> BlockSource {
        var sink = BlockSink()
        for number in numbers { sink.write(number) }
        return BlockSource(sink.bytes)
    }

    @Test(arguments: [
        (0, 0, true), ((1 << 60) - 1, 0, true), (0, (1 << 60) - 1, true), (1 << 60, 0, false),
        (0, 1 << 60, false), (-1, 0, false), (0, -1, false), (.max, .max, false),
    ])
    func `a stream begins and ends where a file may`(start: Int, count: Int, isTaken: Bool) {
        var source = Self.source([start, count])
        let stream = try? JobStream(from: &source)
        #expect(stream == (isTaken ? JobStream(start: start, count: count) : nil))
        var less = Self.source([start])
        #expect(throws: BlockSource.Damaged.self) { try JobStream(from: &less) }
    }

    @Test(arguments: [
        (0, 0, true), (3, 7, true), (7, 7, true), (7, 6, false), (-1, 5, false), (0, -1, false),
    ])
    func `a range does not end before it begins`(start: Int, end: Int, isTaken: Bool) {
        var source = Self.source([start, end])
        #expect((try? Range<Int>(from: &source)) == (isTaken ? start..<end : nil))
    }

    /// Blocks of 32 KiB, each behind 16 bytes that check it.
    @Test(arguments: [
        (0..<1, 100..<117), (32_767..<32_768, 100..<32_884), (32_768..<32_769, 32_884..<32_901),
        (10..<40_000, 100..<40_132), (65_536..<70_000, 65_668..<70_148), (5..<5, 100..<100),
    ])
    func `a stretch lies in whole blocks, but for the last`(range: Range<Int>, place: Range<Int>) {
        let stream = JobStream(start: 100, count: max(range.upperBound, 1))
        #expect(stream.place(of: range) == place)
    }

    @Test func `portions are of four MiB, and end at multiples of these`() {
        let size = 1 << 22
        #expect(JobStream.portions(of: 7..<7) == [])
        #expect(JobStream.portions(of: 7..<size) == [7..<size])
        #expect(
            JobStream.portions(of: size - 1..<3 * size + 1)
                == [size - 1..<size, size..<2 * size, 2 * size..<3 * size, 3 * size..<3 * size + 1])
    }
}
