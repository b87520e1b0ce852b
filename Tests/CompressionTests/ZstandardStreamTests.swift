import Compression
import TestSupport
import Testing

/// Frames that are spelled by hand: one block each, stored as it is.
struct ZstandardStreamTests {
    private static func frame(_ bytes: [UInt8]) -> [UInt8] {
        // RFC 8878, 3.1.1: one segment, a size of one byte, and a last block.
        let head = 1 | bytes.count << 3
        return [0x28, 0xB5, 0x2F, 0xFD, 0x20, UInt8(bytes.count)]
            + (0..<3).map { UInt8(head >> (8 * $0) & 0xFF) } + bytes
    }

    /// Unpacks some bytes at a time into room for some.
    private func unpacked(
        _ packed: [UInt8], pieces: Int, room: Int, _ stream: inout ZstandardStream
    ) throws -> [UInt8] {
        var (bytes, position): ([UInt8], Int) = ([], 0)
        while true {
            let end = min(packed.count, position + pieces)
            var more = [UInt8](repeating: 0, count: room)
            let (used, count) = try more.withUnsafeMutableBufferPointer { target in
                var output = OutputSpan(buffer: target, initializedCount: 0)
                let used = try stream.unpack(
                    packed.span.extracting(position..<end), into: &output)
                return (used, output.finalize(for: target))
            }
            position += used
            bytes += more[..<count]
            if position == packed.count, count == 0 { return bytes }
        }
    }

    @Test(arguments: [1, 3, 7, 1_000], [1, 2, 50, 1_000])
    func `frames come back, however they are cut`(pieces: Int, room: Int) throws {
        let parts: [[UInt8]] = [Array("a first frame".utf8), [], Array(0..<200), [7]]
        var stream = ZstandardStream()
        let packed = parts.flatMap(Self.frame)
        #expect(
            try unpacked(packed, pieces: pieces, room: room, &stream) == Array(parts.joined()))
        try stream.finish()
    }

    @Test(arguments: [1, 3, 1_000])
    func `frames to skip are passed over, before others too`(pieces: Int) throws {
        let skipped: [UInt8] = [0x5A, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 1, 2, 3, 4]
        let frame = Self.frame([7])
        var stream = ZstandardStream()
        let packed = skipped + frame + skipped
        #expect(try unpacked(packed, pieces: pieces, room: 9, &stream) == [7])
        try stream.finish()
        let starts = [skipped, frame, Array(frame[..<3]), [0x6A, 0x2A, 0x4D, 0x18]]
        let areKnown = starts.map { ZstandardStream.recognises($0.span) }
        #expect(areKnown == [true, true, false, false])
    }

    @Test func `a frame that ends early is told, and where one is damaged`() throws {
        let packed = Self.frame(Array("a frame".utf8))
        for end in 1..<packed.count {
            var stream = ZstandardStream()
            _ = try unpacked(Array(packed[..<end]), pieces: 5, room: 100, &stream)
            #expect(throws: CompressionError.truncated(offset: end)) { try stream.finish() }
        }
        var empty = ZstandardStream()
        #expect(try unpacked([], pieces: 5, room: 5, &empty).isEmpty)
        try empty.finish()
        var stream = ZstandardStream()
        let error = #expect(throws: CompressionError.self) {
            _ = try unpacked(packed + [1, 2, 3, 4, 5], pieces: 100, room: 100, &stream)
        }
        guard case .corrupt(let offset, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(offset >= packed.count && offset <= packed.count + 5)
    }
}
