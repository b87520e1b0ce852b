import CDeflate
import CLZ4
import CSnappy
import CZlib
import CZstd
import Compression
import TestSupport
import Testing

/// What other libraries packed, and what they make of what we packed.
struct CodecTests {
    /// A block of each codec, made by the library that it comes from.
    static func packed(_ bytes: [UInt8], _ codec: BlockCodec) -> [UInt8] {
        var room = [CChar](repeating: 0, count: 2 * bytes.count + 1_000)
        let text = bytes.map { CChar(bitPattern: $0) }
        let count: Int
        switch codec {
        case .gzip:
            var compressor = GzipCompressor(level: 9)
            return compressor.compress(bytes.span)
        case .snappy:
            var length = room.count
            #expect(snappy_compress(text, text.count, &room, &length) == SNAPPY_OK)
            count = length
        case .lz4:
            count = Int(LZ4_compress_default(text, &room, Int32(text.count), Int32(room.count)))
        case .lz4Frame: count = LZ4F_compressFrame(&room, room.count, text, text.count, nil)
        case .zstandard: count = ZSTD_compress(&room, room.count, text, text.count, 3)
        // One block that is not compressed (RFC 7932, 9.2): eleven bytes.
        case .brotli: return [0x0B, 0x05, 0x80] + bytes + [0x03]
        }
        return room[..<count].map { UInt8(bitPattern: $0) }
    }

    static let codecs: [BlockCodec] = [.snappy, .gzip, .zstandard, .brotli, .lz4, .lz4Frame]

    /// Its library counts in 32 bits. The room is taken, and not touched.
    @Test func `LZ4 unpacks no more than its library counts`() {
        let block: [UInt8] = [0xF0]
        for (size, isTooLarge) in [(Int(Int32.max), false), (Int(Int32.max) + 1, true)] {
            var decompressor = BlockDecompressor()
            let error = #expect(throws: CompressionError.self) {
                try decompressor.decompress(block.span, .lz4, size: size)
            }
            #expect((error == .tooLarge(limit: size)) == isTooLarge)
        }
    }

    @Test(arguments: codecs)
    func `a block of any codec comes back at its size, and at no other`(codec: BlockCodec) throws {
        var random = SeededRandom(seed: 5)
        var decompressor = BlockDecompressor()
        for size in codec == .brotli ? [11, 11] : [1, 11, 100, 5_000] {
            let bytes = random.text(count: size)
            let block = Self.packed(bytes, codec)
            #expect(try decompressor.decompress(block.span, codec, size: size) == bytes)
            for wrong in [size - 1, size + 1, 2 * size + 70] {
                #expect(throws: CompressionError.self) {
                    try decompressor.decompress(block.span, codec, size: wrong)
                }
            }
            for count in stride(from: 0, to: block.count, by: max(block.count / 40, 1)) {
                let cut = Array(block[..<count])
                #expect(throws: CompressionError.self, "\(count) of \(block.count)") {
                    try decompressor.decompress(cut.span, codec, size: size)
                }
            }
            if codec != .brotli {
                #expect(throws: CompressionError.self) {
                    try decompressor.decompress((block + [1, 2, 3]).span, codec, size: size)
                }
            }
        }
        #expect(try decompressor.decompress([UInt8]().span, codec, size: 0) == [])
        #expect(throws: CompressionError.self) {
            try decompressor.decompress([UInt8]().span, codec, size: 1)
        }
    }

    @Test func `several frames, and frames of nothing, come back as one`() throws {
        var decompressor = BlockDecompressor()
        let (first, second) = (Array("first".utf8), Array("and second".utf8))
        for codec in [BlockCodec.gzip, .zstandard] {
            let both =
                Self.packed(first, codec) + Self.packed([], codec) + Self.packed(second, codec)
            #expect(try decompressor.decompress(both.span, codec, size: 15) == first + second)
        }
        for codec in Self.codecs where codec != .brotli {
            #expect(try decompressor.decompress(Self.packed([], codec).span, codec, size: 0) == [])
        }
    }

    /// libdeflate's own answer at a level.
    private static func deflated(_ bytes: [UInt8], level: Int32) -> [UInt8] {
        let compressor = libdeflate_alloc_compressor(level)
        defer { libdeflate_free_compressor(compressor) }
        var room = [UInt8](
            repeating: 0, count: libdeflate_gzip_compress_bound(compressor, bytes.count))
        let count = libdeflate_gzip_compress(compressor, bytes, bytes.count, &room, room.count)
        return Array(room[..<count])
    }

    @Test func `each size is given to the way that its level says`() {
        var random = SeededRandom(seed: 6)
        for level in GzipCompressor.levels {
            var compressor = GzipCompressor(level: level)
            for size in [0, 1, 127, 128, 1_025, 2_000, 4_096, 4_097, 6_000] {
                let bytes = random.text(count: size)
                let isSpared = (1...6).contains(level) && size <= 4_096
                let way = isSpared ? size <= 128 ? 0 : 1 : Int32(level)
                #expect(
                    compressor.compress(bytes.span) == Self.deflated(bytes, level: way),
                    "\(level), \(size)")
            }
        }
        #expect(GzipCompressor.levels == 0...12 && GzipCompressor.usualLevel == 6)
    }

    /// The bytes that small tiles had in the first release with these codes: they are the same for
    /// good, unless that is decided and told.
    @Test func `small tiles have the bytes that they always had`() {
        var random = SeededRandom(seed: 7)
        var compressor = GzipCompressor()
        var (sum, ways) = (UInt32(0), [Int](repeating: 0, count: 3))
        for round in 0..<400 {
            let size = 129 + Int(random.next() % 896)
            let symbols = [2, 5, 17, 70, 256][round % 5]
            let first = UInt8(truncatingIfNeeded: random.next())
            let spread = random.next() % 2
            var bytes = (0..<size).map { _ in
                let least = min(random.next() % UInt64(symbols), random.next() % UInt64(symbols))
                return first &+ UInt8(spread == 0 ? least : random.next() % UInt64(symbols))
            }
            // Copies of three bytes to the longest, near and far.
            for _ in 0..<random.next() % 6 {
                let length = min(3 + Int(random.next() % 270), size / 2)
                let from = Int(random.next() % UInt64(size - length))
                let to = Int(random.next() % UInt64(size - length))
                bytes.replaceSubrange(to..<to + length, with: Array(bytes[from..<from + length]))
            }
            let packed = compressor.compress(bytes.span)
            let isFixed = packed[10] & 7 == 3
            let isStored = packed == Self.deflated(bytes, level: 0)
            #expect(isFixed || isStored || packed == Self.deflated(bytes, level: 1))
            ways[isFixed ? 0 : isStored ? 1 : 2] += 1
            if isFixed { sum = libdeflate_crc32(sum, packed, packed.count) }
        }
        #expect(ways == [297, 27, 76])
        #expect(sum == 1_876_050_005)
    }
}

/// Streams in pieces of every size, and what is said of damage.
struct RandomStreamTests {
    private static func deflated(_ bytes: [UInt8], _ format: InflateStream.Format) -> [UInt8] {
        guard format != .gzip else {
            var compressor = GzipCompressor(level: 7)
            return compressor.compress(bytes.span)
        }
        var room = [UInt8](repeating: 0, count: bytes.count + 1_000)
        var count = UInt(room.count)
        #expect(CZlib.compress(&room, &count, bytes, UInt(bytes.count)) == Z_OK)
        // RFC 1950: two bytes before the stream, and a sum of four behind it.
        return Array(room[2..<Int(count) - 4])
    }

    @Test(arguments: [InflateStream.Format.gzip, .raw])
    func `pieces of a stream, limits and cuts, to the byte`(format: InflateStream.Format) throws {
        var random = SeededRandom(seed: 8)
        for size in [0, 1, 4_095, 4_096, 4_097, 40_000] {
            let bytes = random.text(count: size)
            let packed = Self.deflated(bytes, format)
            var stream = InflateStream(format: format)
            var (output, position) = ([UInt8](), 0)
            while position < packed.count || output.count < size {
                let end = min(packed.count, position + 1 + Int(random.next() % 600))
                let room = 1 + Int(random.next() % 3_000)
                let before = (position, output.count)
                position += try stream.inflate(
                    packed.span.extracting(position..<end), appendingTo: &output, atMost: room)
                #expect(output.count - before.1 <= room && stream.offset == position)
                guard before != (position, output.count) else { break }
            }
            try stream.finish()
            #expect(output == bytes && position == packed.count)
            #expect(try InflateStream.inflate(packed.span, format: format, limit: size) == bytes)
            if size > 0 {
                #expect(throws: CompressionError.tooLarge(limit: size - 1)) {
                    try InflateStream.inflate(packed.span, format: format, limit: size - 1)
                }
            }
            for count in stride(from: 0, to: packed.count, by: max(packed.count / 30, 1)) {
                #expect(throws: CompressionError.truncated(offset: count)) {
                    try InflateStream.inflate(
                        packed.span.extracting(..<count), format: format, limit: size)
                }
            }
            #expect(throws: CompressionError.trailingBytes(offset: packed.count)) {
                try InflateStream.inflate((packed + [1]).span, format: format, limit: size)
            }
            // Only behind gzip zeros are padding.
            let padded = Result { () throws(CompressionError) in
                try InflateStream.inflate((packed + [0, 0]).span, format: format, limit: size)
            }
            #expect((try? padded.get()) == (format == .gzip ? bytes : nil))
        }
    }

    @Test func `gzip is told by its first two bytes`() {
        for first in [UInt8(0x1E), 0x1F, 0x8B] {
            for second in [UInt8(0x8A), 0x8B, 0x8C] {
                #expect(
                    GzipInflater.isGzip([first, second].span) == (first == 0x1F && second == 0x8B))
            }
        }
        #expect(!GzipInflater.isGzip([0x1F].span) && !GzipInflater.isGzip([UInt8]().span))
    }

    @Test func `what is wrong is told with its place`() {
        let texts: [(CompressionError, String)] = [
            (.corrupt(offset: 7, reason: "x"), "is damaged at byte 7: x"),
            (.truncated(offset: 8), "ends early, after 8 bytes"),
            (.trailingBytes(offset: 9), "ends at byte 9, but more bytes follow"),
            (.tooLarge(limit: 10), "inflates to more than 10 bytes"),
        ]
        for (error, text) in texts { #expect("\(error)" == "the compressed data \(text)") }
    }
}
