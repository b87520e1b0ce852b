import CDeflate

/// Deflate for inputs that are too short to gain from their own Huffman codes: one block in the
/// fixed codes, with copies of earlier bytes. It is four times as fast as the fastest general
/// compressor, which for a small tile spends most of its time on codes and on clearing tables.
@safe
struct FixedDeflate: ~Copyable {
    private let literals = unsafe FixedCodes.all.literals
    private let lengths = unsafe FixedCodes.all.lengths
    private let distances = unsafe FixedCodes.all.distances
    /// For each hash of three bytes, the position after its last occurrence, counted through all
    /// inputs, so that nothing has to be cleared between inputs.
    private let places: UnsafeMutablePointer<UInt32>
    private var before: UInt32 = 0
    /// How often each literal was written.
    private let counts: UnsafeMutablePointer<UInt16>

    private static let hashBits: UInt32 = 11

    /// The largest input: copies can reach back over all of it.
    static let largest = FixedCodes.farthest

    init() {
        unsafe places = .allocate(capacity: 1 << Self.hashBits)
        unsafe places.initialize(repeating: 0, count: 1 << Self.hashBits)
        unsafe counts = .allocate(capacity: 256)
        unsafe counts.initialize(repeating: 0, count: 256)
    }

    deinit {
        unsafe places.deallocate()
        unsafe counts.deallocate()
    }

    /// The space for the stream of an input of this size: nine bits a byte, and one word that is always written whole.
    static func bound(forSize size: Int) -> Int { size + size / 8 + 24 }

    /// Fills `room` with the gzip form of `bytes`.
    /// - Precondition: at most `largest` bytes, and room for their `bound` and 18 more.
    /// - Returns: how many bytes it takes; nil if its own Huffman codes would make it much shorter.
    mutating func gzip(_ bytes: Span<UInt8>, into room: inout [UInt8]) -> Int? {
        let header = Self.header
        precondition(room.count >= Self.bound(forSize: bytes.count) + header.count + 8)
        for index in header.indices { room[index] = header[index] }
        return unsafe bytes.withUnsafeBufferPointer { input in
            unsafe room.withUnsafeMutableBufferPointer { room in
                let start = unsafe room.baseAddress! + header.count
                guard let size = unsafe compress(input, to: start) else { return nil }
                let sum = unsafe libdeflate_crc32(0, input.baseAddress, input.count)
                let trailer = UInt64(input.count) << 32 | UInt64(sum)
                unsafe UnsafeMutableRawPointer(start + size).storeBytes(
                    of: trailer.littleEndian, as: UInt64.self)
                return header.count + size + 8
            }
        }
    }

    /// RFC 1952, 2.3.1: no name, no time, fastest compression, unknown system.
    private static let header: InlineArray<10, UInt8> = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 4, 255]

    /// Writes the deflate stream without its frame.
    @unsafe
    private mutating func compress(
        _ input: UnsafeBufferPointer<UInt8>, to output: UnsafeMutablePointer<UInt8>
    ) -> Int? {
        precondition(input.count <= Self.largest)
        if before > .max - UInt32(2 * Self.largest) {
            unsafe places.update(repeating: 0, count: 1 << Self.hashBits)
            before = 0
        }
        unsafe counts.update(repeating: 0, count: 256)
        var bits = unsafe BitWriter(output)
        // The final block, in fixed codes, and at the end the end-of-block code.
        unsafe bits.put(3 << 24 | 0b011)
        let copied = unsafe write(input, to: &bits)
        unsafe bits.put(7 << 24)
        let size = unsafe bits.finish() - output
        before += UInt32(input.count)
        return wantsOwnCodes(literals: input.count - copied, size: size) ? nil : size
    }

    /// - Returns: how many bytes were copies.
    @unsafe
    @inline(__always)
    private func write(_ input: UnsafeBufferPointer<UInt8>, to bits: inout BitWriter) -> Int {
        var (index, copied) = (0, 0)
        // Three bytes are hashed as part of a word of four.
        let lastHashed = input.count &- 4
        while index < input.count {
            if index <= lastHashed, let start = unsafe lastMet(input, index) {
                let length = unsafe Self.commonLength(input, start, index)
                if length >= 3 {
                    unsafe bits.put(lengths[length])
                    unsafe bits.put(distances[index &- start])
                    unsafe bits.flush()
                    copied &+= length
                    let end = index &+ length
                    index &+= 1
                    while index < end {
                        if index <= lastHashed { _ = unsafe lastMet(input, index) }
                        index &+= 1
                    }
                    continue
                }
            }
            let literal = unsafe Int(input[index])
            unsafe counts[literal] &+= 1
            unsafe bits.put(literals[literal])
            unsafe bits.flush()
            index &+= 1
        }
        return copied
    }

    /// The last place of three bytes with this hash; the current place replaces it.
    @unsafe
    @inline(__always)
    private func lastMet(_ input: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int? {
        let word = unsafe Self.word(input, index, as: UInt32.self).littleEndian & 0xFF_FFFF
        let slot = Int((word &* 0x9E37_79B1) &>> (32 &- Self.hashBits))
        let met = unsafe places[slot]
        unsafe places[slot] = before &+ UInt32(truncatingIfNeeded: index) &+ 1
        return met > before ? Int(met &- before &- 1) : nil
    }

    /// The number of equal bytes from two places on.
    @unsafe
    @inline(__always)
    private static func commonLength(
        _ input: UnsafeBufferPointer<UInt8>, _ early: Int, _ late: Int
    ) -> Int {
        let most = min(FixedCodes.longest, input.count &- late)
        var length = 0
        while length &+ 8 <= most {
            let ours = unsafe word(input, early &+ length, as: UInt64.self)
            let difference = unsafe ours ^ word(input, late &+ length, as: UInt64.self)
            guard difference == 0 else {
                return length &+ difference.littleEndian.trailingZeroBitCount &>> 3
            }
            length &+= 8
        }
        while length < most, unsafe input[early &+ length] == input[late &+ length] {
            length &+= 1
        }
        return length
    }

    @unsafe
    @inline(__always)
    private static func word<Word: FixedWidthInteger & BitwiseCopyable>(
        _ input: UnsafeBufferPointer<UInt8>, _ index: Int, as type: Word.Type
    ) -> Word {
        unsafe UnsafeRawBufferPointer(input).loadUnaligned(fromByteOffset: index, as: type)
    }
}

extension FixedDeflate {
    /// Fewer literals than this do not justify their own codes.
    private static let fewLiterals = 384

    /// Whether the literals are so uneven, as in text, that their own codes would save a tenth or
    /// more.
    private func wantsOwnCodes(literals: Int, size: Int) -> Bool {
        guard literals >= Self.fewLiterals else { return false }
        var bits = 0.0
        var distinct = 0
        var fixed = 0
        for literal in 0..<256 {
            let count = unsafe Int(counts[literal])
            guard count > 0 else { continue }
            distinct += 1
            fixed += count * (literal < 144 ? 8 : 9)
            bits += Double(count) * Self.log2(Double(literals) / Double(count))
        }
        // The codes themselves take about 8 bytes, and half a byte a symbol.
        let saved = Double(fixed) - bits - Double(64 + 4 * distinct)
        return saved * 10 > Double(8 * size)
    }

    /// The logarithm to about a tenth, from the exponent and the significand: precise enough here, and equal on all machines.
    private static func log2(_ number: Double) -> Double {
        Double(number.exponent) + number.significand - 1
    }
}
