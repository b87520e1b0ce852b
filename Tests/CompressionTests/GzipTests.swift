import Compression
import Foundation
import TestSupport
import Testing

struct GzipTests {
    @Test(arguments: GzipCompressor.levels)
    func `what was compressed comes back`(level: Int) throws {
        var random = SeededRandom(seed: UInt64(level))
        var compressor = GzipCompressor(level: level)
        var inflater = GzipInflater()
        for size in [0, 1, 17, 150, 600, 5_000, 70_000] {
            let bytes = random.text(count: size)
            let packed = compressor.compress(bytes.span)
            #expect(GzipInflater.isGzip(packed.span) == true)
            #expect(try inflater.inflate(packed.span, limit: size) == bytes)
            #expect(try InflateStream.inflate(packed.span, format: .gzip, limit: size) == bytes)
        }
    }

    @Test func `the same input gives the same bytes, without time or system`() {
        var random = SeededRandom(seed: 3)
        let bytes = random.text(count: 900)
        var fresh = GzipCompressor(level: 6)
        var used = GzipCompressor(level: 6)
        _ = used.compress(random.text(count: 5_000).span)
        let packed = fresh.compress(bytes.span)
        #expect(used.compress(bytes.span) == packed)
        // RFC 1952, 2.3.1: no flags, no time, and 255, an unknown system.
        #expect(packed[3..<8] == [0, 0, 0, 0, 0] && packed[9] == 255)
    }

    @Test func `a tiny tile is stored as it is, unless the smallest size was asked for`() {
        let bytes = [UInt8](repeating: 7, count: 128)
        var usual = GzipCompressor()
        // A header of 10 bytes, a stored block's 5, the contents, a trailer of 8.
        let stored = usual.compress(bytes.span)
        #expect(stored.count == 151 && stored[10] == 1 && Array(stored[15..<143]) == bytes)
        var small = GzipCompressor(level: 9)
        #expect(small.compress(bytes.span).count < 40)
        #expect(usual.compress([UInt8](repeating: 7, count: 129).span).count < 40)
    }

    @Test func `small tiles of all kinds come back from the fixed codes`() throws {
        var random = SeededRandom(seed: 11)
        var compressor = GzipCompressor()
        var inflater = GzipInflater()
        // The reach of copies, their greatest length, literals of eight and nine bits, noise.
        for round in 0..<300 {
            let size = 129 + Int(random.next() % 900)
            let symbols = [1, 2, 9, 60, 256][round % 5]
            let offset = UInt8(truncatingIfNeeded: random.next())
            var bytes = (0..<size).map { _ in
                offset &+ UInt8(truncatingIfNeeded: random.next() % UInt64(symbols))
            }
            if round % 3 == 0, size > 581 {
                bytes.replaceSubrange((size - 290)..., with: bytes[..<290])
            }
            let packed = compressor.compress(bytes.span)
            #expect(try inflater.inflate(packed.span, limit: size) == bytes)
            #expect(try InflateStream.inflate(packed.span, format: .gzip, limit: size) == bytes)
            #expect(packed.count <= size + 23)
        }
    }

    @Test func `a small tile of prose takes codes of its own`() throws {
        var random = SeededRandom(seed: 12)
        // Letters as often as in no language, but as unevenly.
        let prose = (0..<1_000).map { _ -> UInt8 in
            let (first, second, third) = (
                random.next() % 26, random.next() % 26, random.next() % 26
            )
            return UInt8(97 + min(first, second, third))
        }
        var usual = GzipCompressor()
        var first = GzipCompressor(level: 1)
        let packed = usual.compress(prose.span)
        #expect(packed == first.compress(prose.span))
        #expect(packed.count < prose.count * 3 / 4)
    }

    @Test func `a small tile takes the quick way, at a price in bounds`() {
        var random = SeededRandom(seed: 6)
        var usual = GzipCompressor()
        var first = GzipCompressor(level: 1)
        var seventh = GzipCompressor(level: 7)
        for size in [321, 1_000, 1_024, 1_025, 4_096] {
            let text = random.text(count: size)
            let packed = usual.compress(text.span)
            #expect(packed == first.compress(text.span))
            #expect(packed.count * 10 <= seventh.compress(text.span).count * 11)
        }
        let large = random.text(count: 20_000)
        #expect(usual.compress(large.span).count < first.compress(large.span).count)
    }

    @Test func `members follow one another, padding is skipped, other bytes refused`() throws {
        var compressor = GzipCompressor(level: 6)
        var inflater = GzipInflater()
        let first = Array("first".utf8)
        let second = Array("and second".utf8)
        let both = compressor.compress(first.span) + compressor.compress(second.span)
        #expect(try inflater.inflate(both.span, limit: 15) == first + second)
        #expect(try inflater.inflate((both + [0, 0, 0]).span, limit: 15) == first + second)
        #expect(throws: CompressionError.trailingBytes(offset: both.count)) {
            try inflater.inflate((both + [7, 7, 7, 7]).span, limit: 15)
        }
        #expect(throws: CompressionError.tooLarge(limit: 14)) {
            try inflater.inflate(both.span, limit: 14)
        }
    }

    @Test func `a bomb is refused whatever its trailer says`() throws {
        var compressor = GzipCompressor(level: 1)
        var inflater = GzipInflater()
        var bomb = compressor.compress([UInt8](repeating: 0, count: 30_000_000).span)
        #expect(bomb.count < 200_000)
        #expect(throws: CompressionError.tooLarge(limit: 1_000_000)) {
            try inflater.inflate(bomb.span, limit: 1_000_000)
        }
        bomb.replaceSubrange((bomb.count - 4)..., with: [100, 0, 0, 0])
        #expect(throws: CompressionError.tooLarge(limit: 1_000_000)) {
            try inflater.inflate(bomb.span, limit: 1_000_000)
        }
    }

    @Test func `only gzip says to what size it comes`() {
        var compressor = GzipCompressor()
        let packed = compressor.compress([UInt8](repeating: 7, count: 9_000).span)
        #expect(GzipInflater.plainSize(of: packed.span) == 9_000)
        // Plain bytes whose end could be a trailer.
        let plain = [UInt8](repeating: 7, count: 60) + [0, 64, 0, 0]
        #expect(GzipInflater.plainSize(of: plain.span) == 64)
    }

    @Test func `every cut and every flipped bit is found`() throws {
        var random = SeededRandom(seed: 4)
        var compressor = GzipCompressor(level: 6)
        var inflater = GzipInflater()
        // Long enough to be compressed.
        let bytes = random.text(count: 600)
        let packed = compressor.compress(bytes.span)
        for count in 0..<packed.count {
            #expect(throws: CompressionError.truncated(offset: count)) {
                try inflater.inflate(packed.span.extracting(..<count), limit: 1_000)
            }
        }
        // Bytes 4 to 9, and a text flag, say nothing of the contents (RFC 1952, 2.3.1).
        for index in packed.indices where !(3...9).contains(index) {
            var damaged = packed
            damaged[index] ^= 1 << UInt8(random.next() % 8)
            // The bits that fill up the last byte of the stream may be anything.
            let contents = try? inflater.inflate(damaged.span, limit: 1_000)
            #expect(contents == nil || contents == bytes)
        }
    }

    #if os(Linux)
        /// In a process of its own, whose memory is its own.
        @Test func `a compressor gives back what it took`() async {
            await #expect(processExitsWith: .success) {
                var random = SeededRandom(seed: 8)
                let text = random.text(count: 5_000)
                func use(_ count: Int) {
                    for _ in 0..<count {
                        var compressor = GzipCompressor(level: 12)
                        _ = compressor.compress(text.span)
                    }
                }
                use(20)
                let before = try residentBytes()
                use(200)
                let gained = try residentBytes() - before
                precondition(gained < 20 << 20, "\(gained) bytes are not given back")
            }
        }
    #endif
}
