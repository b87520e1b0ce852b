/// MD5 (RFC 1321), used as a fingerprint of an archive's tiles, not for security.
package struct MD5: ~Copyable {
    private var a: UInt32 = 0x6745_2301
    private var b: UInt32 = 0xEFCD_AB89
    private var c: UInt32 = 0x98BA_DCFE
    private var d: UInt32 = 0x1032_5476
    private var pending: [UInt8] = []
    private var count: UInt64 = 0

    private static let blockSize = 64
    /// The bytes collected before they are digested, because short updates are frequent.
    private static let gathered = 4_096

    package init() {}

    package mutating func update(_ bytes: Span<UInt8>) {
        count &+= UInt64(bytes.count)
        unsafe bytes.withUnsafeBufferPointer { unsafe pending.append(contentsOf: $0) }
        if pending.count >= Self.gathered { digestPending() }
    }

    /// Digests the whole blocks that are pending.
    private mutating func digestPending() {
        var bytes: [UInt8] = []
        swap(&bytes, &pending)
        let whole = bytes.count / Self.blockSize * Self.blockSize
        digest(bytes.span.extracting(..<whole))
        bytes.removeSubrange(..<whole)
        swap(&bytes, &pending)
    }

    /// The digest as 32 hexadecimal digits in capitals, as `agg_tiles_hash` is written.
    package consuming func finish() -> String {
        let bits = count &* 8
        let padding = 1 + (55 - Int(count % 64) + 64) % 64
        var tail = [UInt8](repeating: 0, count: padding)
        tail[0] = 0x80
        for shift in 0..<8 { tail.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * shift))) }
        update(tail.span)
        digestPending()
        let digits = Array("0123456789ABCDEF".utf8)
        let hex = [a, b, c, d].flatMap { word in
            (0..<4).flatMap { index -> [UInt8] in
                let byte = Int((word >> UInt32(8 * index)) & 255)
                return [digits[byte >> 4], digits[byte & 15]]
            }
        }
        return String(decoding: hex, as: UTF8.self)
    }

    /// RFC 1321, 3.4. The four rounds run as loops of sixteen steps; the compiler unrolls them.
    private mutating func digest(_ blocks: Span<UInt8>) {
        let sines = Self.sines
        unsafe blocks.withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: Self.blockSize) {
                unsafe digest(block: UnsafeRawBufferPointer(rebasing: bytes[start...]), sines)
            }
        }
    }

    @unsafe
    @inline(__always)
    private mutating func digest(block: UnsafeRawBufferPointer, _ sines: InlineArray<64, UInt32>) {
        var (a, b, c, d) = (self.a, self.b, self.c, self.d)
        @inline(__always)
        func step(_ mixed: UInt32, _ word: Int, _ sine: Int, _ turn: UInt32) {
            let x = unsafe UInt32(
                littleEndian: block.loadUnaligned(fromByteOffset: word &* 4, as: UInt32.self))
            let sum = a &+ mixed &+ x &+ sines[sine]
            (a, d, c, b) = (d, c, b, b &+ (sum &<< turn | sum &>> (32 &- turn)))
        }
        for i in stride(from: 0, to: 16, by: 4) {
            step(d ^ (b & (c ^ d)), i, i, 7)
            step(d ^ (b & (c ^ d)), i &+ 1, i &+ 1, 12)
            step(d ^ (b & (c ^ d)), i &+ 2, i &+ 2, 17)
            step(d ^ (b & (c ^ d)), i &+ 3, i &+ 3, 22)
        }
        for i in stride(from: 16, to: 32, by: 4) {
            step(c ^ (d & (b ^ c)), (5 &* i &+ 1) & 15, i, 5)
            step(c ^ (d & (b ^ c)), (5 &* i &+ 6) & 15, i &+ 1, 9)
            step(c ^ (d & (b ^ c)), (5 &* i &+ 11) & 15, i &+ 2, 14)
            step(c ^ (d & (b ^ c)), (5 &* i) & 15, i &+ 3, 20)
        }
        for i in stride(from: 32, to: 48, by: 4) {
            step(b ^ c ^ d, (3 &* i &+ 5) & 15, i, 4)
            step(b ^ c ^ d, (3 &* i &+ 8) & 15, i &+ 1, 11)
            step(b ^ c ^ d, (3 &* i &+ 11) & 15, i &+ 2, 16)
            step(b ^ c ^ d, (3 &* i &+ 14) & 15, i &+ 3, 23)
        }
        for i in stride(from: 48, to: 64, by: 4) {
            step(c ^ (b | ~d), (7 &* i) & 15, i, 6)
            step(c ^ (b | ~d), (7 &* i &+ 7) & 15, i &+ 1, 10)
            step(c ^ (b | ~d), (7 &* i &+ 14) & 15, i &+ 2, 15)
            step(c ^ (b | ~d), (7 &* i &+ 21) & 15, i &+ 3, 21)
        }
        self.a &+= a
        self.b &+= b
        self.c &+= c
        self.d &+= d
    }

    /// 2^32 · |sin(i + 1)|, RFC 1321's table T.
    private static let sines: InlineArray<64, UInt32> = [
        0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a,
        0xa830_4613, 0xfd46_9501, 0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be,
        0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821, 0xf61e_2562, 0xc040_b340,
        0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
        0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed, 0xa9e3_e905, 0xfcef_a3f8,
        0x676f_02d9, 0x8d2a_4c8a, 0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c,
        0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70, 0x289b_7ec6, 0xeaa1_27fa,
        0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
        0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92,
        0xffef_f47d, 0x8584_5dd1, 0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1,
        0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
    ]
}
