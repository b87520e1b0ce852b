import CZlib
import Compression
import TestSupport
import Testing

struct InflateStreamTests {
    @Test func `pieces of any size give the same contents`() throws {
        var random = SeededRandom(seed: 7)
        var compressor = GzipCompressor(level: 6)
        let bytes = random.text(count: 50_000)
        let packed =
            compressor.compress(bytes.span.extracting(..<20_000))
            + compressor.compress([UInt8]().span)
            + compressor.compress(bytes.span.extracting(20_000...)) + [0, 0]
        for _ in 0..<20 {
            var stream = InflateStream(format: .gzip)
            var output: [UInt8] = []
            var position = 0
            while true {
                let end = min(packed.count, position + Int(random.next() % 999))
                let room = 1 + Int(random.next() % 5_000)
                let filled = output.count
                position += try stream.inflate(
                    packed.span.extracting(position..<end), appendingTo: &output, atMost: room)
                if position == packed.count, output.count == filled { break }
            }
            try stream.finish()
            #expect(output == bytes && stream.offset == packed.count)
        }
    }

    @Test func `a bare deflate stream inflates, and ends where it ends`() throws {
        let bytes = Array("a stream, a stream, a stream".utf8)
        var packed = [UInt8](repeating: 0, count: 200)
        var count = UInt(packed.count)
        #expect(CZlib.compress(&packed, &count, bytes, UInt(bytes.count)) == Z_OK)
        // RFC 1950: two bytes before the stream, and a sum of four behind it.
        let bare = packed[2..<(Int(count) - 4)]
        #expect(try InflateStream.inflate(bare.span, format: .raw, limit: 28) == bytes)
        let longer = bare + [0]
        #expect(throws: CompressionError.trailingBytes(offset: bare.count)) {
            try InflateStream.inflate(longer.span, format: .raw, limit: 28)
        }
    }

    /// Room is taken for what comes, not for what may come.
    @Test func `a generous limit costs nothing`() throws {
        var compressor = GzipCompressor(level: 6)
        let bytes = [UInt8](repeating: 3, count: 100_000)
        let packed = compressor.compress(bytes.span)
        #expect(try InflateStream.inflate(packed.span, format: .gzip, limit: 1 << 60) == bytes)
    }

    @Test func `damage is located`() throws {
        var compressor = GzipCompressor(level: 6)
        var packed = compressor.compress(Array("some text".utf8).span)
        packed[packed.count - 8] ^= 1
        #expect(
            throws: CompressionError.corrupt(
                offset: packed.count - 4, reason: "incorrect data check")
        ) {
            try InflateStream.inflate(packed.span, format: .gzip, limit: 100)
        }
        #expect(throws: CompressionError.truncated(offset: 0)) {
            try InflateStream.inflate([UInt8]().span, format: .gzip, limit: 100)
        }
    }
}

extension SeededRandom {
    /// Bytes that compress about as well as tiles do: words from a small stock, and some noise.
    mutating func text(count: Int) -> [UInt8] {
        let words = ["name", "kind", "café", "point_count", "cluster_id", "street", "31"]
        var bytes: [UInt8] = []
        while bytes.count < count {
            bytes += Array(words[Int(next() % 7)].utf8)
            bytes.append(UInt8(truncatingIfNeeded: next()))
        }
        return Array(bytes.prefix(count))
    }
}
