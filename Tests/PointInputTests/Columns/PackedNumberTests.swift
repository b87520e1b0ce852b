import TestSupport
import Testing

@testable import PointInput

/// Numbers as Parquet packs them, by a second, plain packing of the tests' own.
struct PackedNumberTests {
    private static func varint(_ number: UInt64) -> [UInt8] {
        number < 0x80 ? [UInt8(number)] : [UInt8(number & 0x7F) | 0x80] + varint(number >> 7)
    }

    /// Numbers of so many bits one behind another, from the lowest bit on.
    private static func packed(_ numbers: [UInt64], width: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: (numbers.count * width + 7) / 8)
        for (index, number) in numbers.enumerated() {
            for bit in 0..<width where number >> UInt64(bit) & 1 == 1 {
                let place = index * width + bit
                bytes[place / 8] |= 1 << UInt8(place % 8)
            }
        }
        return bytes
    }

    private struct Mixture {
        var bytes: [UInt8] = []
        var values: [UInt32] = []
        /// Where each run ends, in bytes and in values.
        var ends: [(byte: Int, value: Int)] = []

        /// Runs of one value, long and short, and of packed ones, some beyond the longest stretch.
        init(width: Int, using random: inout SeededRandom) {
            func value() -> UInt32 {
                UInt32(truncatingIfNeeded: random.next() & (1 << UInt64(width) - 1))
            }
            for _ in 0..<1 + random.next() % 5 {
                if random.next() % 2 == 0 {
                    let (count, same) = (Int(random.next() % 300), value())
                    bytes += varint(UInt64(count) << 1)
                    bytes += (0..<(width + 7) / 8).map { UInt8(same >> UInt32(8 * $0) & 255) }
                    values += [UInt32](repeating: same, count: count)
                } else {
                    let groups = Int([1, 2, 7, 1_100][Int(random.next() % 4)])
                    let more = (0..<8 * groups).map { _ in value() }
                    bytes += varint(UInt64(groups) << 1 | 1)
                    bytes += packed(more.map(UInt64.init), width: width)
                    values += more
                }
                ends.append((bytes.count, values.count))
            }
        }
    }

    @Test(arguments: [0, 1, 2, 3, 7, 8, 9, 16, 17, 31, 32])
    func `any stretch of a mixture has the numbers that were packed`(width: Int) throws {
        var random = SeededRandom(seed: UInt64(width) + 1)
        for _ in 0..<6 {
            let mixture = Mixture(width: width, using: &random)
            let count = mixture.values.count
            let front = [UInt8](repeating: 0xEE, count: Int(random.next() % 5))
            let bytes = front + mixture.bytes
            let runs = try RunLengths(bytes, front.count..<bytes.count, width: width, count: count)
            for _ in 0..<12 {
                let bounds = [0, count].map { _ in Int.random(in: 0...count, using: &random) }
                    .sorted()
                var found: [UInt32] = [7]
                runs.expand(bounds[0]..<bounds[1], into: &found)
                #expect(Array(found.dropFirst()) == Array(mixture.values[bounds[0]..<bounds[1]]))
            }
            // Bytes behind a run are the next one's; those that are missing are missed.
            for (end, before) in zip(mixture.ends, [(byte: 0, value: 0)] + mixture.ends)
            where end.byte > before.byte {
                #expect(throws: ParquetFault.self) {
                    _ = try RunLengths(
                        bytes, front.count..<front.count + before.byte, width: width,
                        count: before.value + 1)
                }
                let well = try RunLengths(
                    bytes, front.count..<front.count + end.byte, width: width, count: end.value)
                var found: [UInt32] = []
                well.expand(0..<end.value, into: &found)
                #expect(found == Array(mixture.values[..<end.value]))
            }
        }
    }

    @Test func `numbers of more than 32 bits and runs without end are none`() throws {
        #expect(throws: ParquetFault.badPage("numbers of 33 bits")) {
            _ = try RunLengths([2, 0, 0, 0, 0, 0], 0..<6, width: 33, count: 1)
        }
        #expect(throws: ParquetFault.badPage("a run is too long")) {
            let bytes = Self.varint(1 << 41 | 1)
            _ = try RunLengths(bytes, 0..<bytes.count, width: 0, count: 1)
        }
        // A run of a billion takes two bytes, and the last packed ones need not be there.
        let long = Self.varint(2_000_000_000) + [5]
        let runs = try RunLengths(long, 0..<long.count, width: 3, count: 1_000_000_000)
        var found: [UInt32] = []
        runs.expand(999_999_998..<1_000_000_000, into: &found)
        #expect(found == [5, 5])
        for (count, isEnough) in [(8, true), (9, false)] {
            let bytes: [UInt8] = [2 << 1 | 1, 0xFF]
            let runs = try? RunLengths(bytes, 0..<2, width: 1, count: count)
            #expect((runs != nil) == isEnough)
        }
    }

    @Test(arguments: [1, 2, 3])
    func `levels say which values are there, and how many before each row`(highest: Int) throws {
        var random = SeededRandom(seed: UInt64(highest))
        for count in [0, 1, 4_095, 4_096, 4_097, 9_000] {
            let levels = (0..<count).map { _ in UInt32(random.next() % UInt64(highest + 1)) }
            let width = Int.bitWidth - highest.leadingZeroBitCount
            let padded = levels + [UInt32](repeating: 0, count: (8 - count % 8) % 8)
            let bytes =
                Self.varint(UInt64(padded.count / 8) << 1 | 1)
                + Self.packed(padded.map(UInt64.init), width: width)
            let read = try ValueLevels(bytes, 0..<bytes.count, highest: highest, count: count)
            let present = levels.map { $0 == UInt32(highest) }
            #expect(read.presentCount == present.count { $0 })
            var scratch: [UInt32] = []
            for row in [0, 1, count / 2, 4_096, count] where row <= count {
                let before = present[..<row].count { $0 }
                #expect(read.rank(row, &scratch) == before)
                var numbers: [UInt32] = []
                let rows = row..<min(row + 10, count)
                read.append(rows, from: before, to: &numbers, &scratch)
                var next = UInt32(before)
                let wanted = rows.map { row -> UInt32 in
                    guard present[row] else { return StripBytes.noValue }
                    defer { next += 1 }
                    return next
                }
                #expect(numbers == wanted)
            }
        }
    }

    // MARK: Differences

    private static func zigzag(_ number: Int64) -> UInt64 {
        UInt64(bitPattern: number << 1 ^ number >> 63)
    }

    private static func differences(
        _ numbers: [Int64], block: Int, parts: Int
    ) -> [UInt8] {
        var bytes = [
            UInt64(block), UInt64(parts), UInt64(numbers.count), zigzag(numbers.first ?? 0),
        ]
        .flatMap(varint)
        let steps = zip(numbers.dropFirst(), numbers).map { $0 &- $1 }
        for start in stride(from: 0, to: steps.count, by: block) {
            let own = steps[start..<min(start + block, steps.count)]
            let least = own.min() ?? 0
            bytes += varint(zigzag(least))
            let size = block / parts
            let pieces = (0..<parts).map { part in
                (0..<size).map { index -> UInt64 in
                    let place = start + part * size + index
                    return place < own.endIndex ? UInt64(bitPattern: own[place] &- least) : 0
                }
            }
            let widths = pieces.map { 64 - ($0.max() ?? 0).leadingZeroBitCount }
            bytes += widths.map { UInt8($0) }
            let used = (own.count + size - 1) / size
            for (piece, width) in zip(pieces, widths).prefix(used) {
                bytes += packed(piece, width: width)
            }
        }
        return bytes
    }

    @Test(arguments: [(8, 1), (128, 4), (64, 8), (32, 32)], [1, 40, 62] as [UInt64])
    func `numbers come back from their differences, and end where they end`(
        shape: (block: Int, parts: Int), bits: UInt64
    ) throws {
        var random = SeededRandom(seed: bits)
        for count in [0, 1, 2, 8, 9, 129, 300] {
            let numbers = (0..<count).map { _ in
                Int64(bitPattern: random.next() >> (63 - bits)) * (random.next() % 2 == 0 ? 1 : -1)
            }
            let bytes = Self.differences(numbers, block: shape.block, parts: shape.parts)
            let read = try DeltaDecoder.integers([9] + bytes + [9, 9], 1, count: count)
            #expect(read.values == numbers)
            #expect(read.end == 1 + bytes.count)
            #expect(throws: ParquetFault.self) {
                _ = try DeltaDecoder.integers(bytes, 0, count: count + 1)
            }
            guard count > 1 else { continue }
            #expect(throws: ParquetFault.self) {
                _ = try DeltaDecoder.integers(Array(bytes.prefix(5)), 0, count: count)
            }
        }
    }

    @Test(arguments: [(0, 1), (8, 0), (8, 3), (8, 16), (1 << 16 + 8, 1)])
    func `blocks that cannot be cut into their parts are refused`(block: Int, parts: Int) {
        let bytes = [UInt64(block), UInt64(parts), 1, 0].flatMap(Self.varint)
        #expect(
            throws: ParquetFault.badPage("its differences are in blocks of \(block) by \(parts)")
        ) {
            _ = try DeltaDecoder.integers(bytes, 0, count: 1)
        }
    }
}
