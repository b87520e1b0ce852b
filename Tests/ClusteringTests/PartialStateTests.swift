import Points
import Testing

@testable import Clustering

/// What a job's file says of aggregates, as deep as it may say it.
struct PartialStateTests {
    /// Properties of one value, which lies within so many arrays or objects.
    private static func properties(within depth: Int, isObject: Bool) -> [UInt8] {
        var sink = BlockSink()
        sink.write(byte: 10)
        sink.write(varint: 1)
        for _ in 0..<depth {
            sink.write(byte: isObject ? 6 : 5)
            sink.write(varint: 1)
            if isObject { sink.write("a") }
        }
        sink.write(byte: 0)
        return sink.bytes
    }

    @Test(arguments: [true, false])
    func `a value within a thousand others is refused, and not one within fewer`(isObject: Bool)
        throws
    {
        for (depth, isRead) in [(0, true), (1, true), (999, true), (1_000, false)] {
            let bytes = Self.properties(within: depth, isObject: isObject)
            var source = BlockSource(bytes)
            guard isRead else {
                #expect(throws: BlockSource.Damaged.self) { try PartialState(from: &source) }
                continue
            }
            var sink = BlockSink()
            try PartialState(from: &source).write(to: &sink)
            #expect(sink.bytes == bytes)
            // Nothing is left of it.
            #expect(throws: BlockSource.Damaged.self) { try source.byte() }
        }
    }

    @Test func `kinds that there are not are refused`() {
        for bytes in [[11], [255], [8, 5], [10, 1, 7], [7, 1, 9, 0]] as [[UInt8]] {
            var source = BlockSource(bytes)
            #expect(throws: BlockSource.Damaged.self) { try PartialState(from: &source) }
        }
    }
}
