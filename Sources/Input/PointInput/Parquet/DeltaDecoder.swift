import Basics
import Points

/// Decodes numbers stored as differences, in packed blocks, and texts stored by the prefix they share with the one before.
enum DeltaDecoder {
    /// The most values of a block; programs write 128.
    private static let longestBlock = 1 << 16

    /// Decodes `DELTA_BINARY_PACKED`: `count` numbers, and the offset after them.
    static func integers(
        _ bytes: [UInt8], _ start: Int, count: Int
    ) throws(ParquetFault) -> (values: [Int64], end: Int) {
        var reading = Reading(bytes: bytes, offset: start)
        let block = try reading.varint()
        let parts = try reading.varint()
        let total = try reading.varint()
        guard total == UInt64(count) else {
            throw .badPage("it has \(total) differences for \(count) values")
        }
        guard block > 0, block <= longestBlock, parts > 0, parts <= block, block % parts == 0 else {
            throw .badPage("its differences are in blocks of \(block) by \(parts)")
        }
        guard count <= ParquetPageHeader.sizeLimit / 8 else {
            throw .tooLarge("a page claims \(count) values")
        }
        var value = Varint.zigzag(try reading.varint())
        var values: [Int64] = []
        if count > 0 { values.append(value) }
        while values.count < count {
            let least = Varint.zigzag(try reading.varint())
            let widths = try reading.take(Int(parts))
            for index in widths where values.count < count {
                let part = min(Int(block / parts), count - values.count)
                try reading.unpack(
                    width: Int(bytes[index]), part, of: Int(block / parts)
                ) { difference in
                    value = value &+ least &+ Int64(bitPattern: difference)
                    values.append(value)
                }
            }
        }
        return (values, reading.offset)
    }

    private struct Reading {
        let bytes: [UInt8]
        var offset: Int

        mutating func varint() throws(ParquetFault) -> UInt64 {
            let bytes = bytes
            return try RunLengths.varint(bytes.span, &offset, bytes.count)
        }

        mutating func take(_ count: Int) throws(ParquetFault) -> Range<Int> {
            guard count <= bytes.count - offset else { throw .outOfBounds("a block") }
            offset += count
            return offset - count..<offset
        }

        /// Unpacks numbers of `width` bits; the last block may have unused space.
        mutating func unpack(
            width: Int, _ count: Int, of all: Int, _ body: (UInt64) -> Void
        ) throws(ParquetFault) {
            guard width <= 64, (width * count + 7) / 8 <= bytes.count - offset else {
                throw .outOfBounds("a block")
            }
            var bit = 8 * offset
            for _ in 0..<count {
                var (value, filled): (UInt64, Int) = (0, 0)
                while filled < width {
                    let taken = min(8 - bit & 7, width - filled)
                    let part = UInt64(bytes[bit >> 3]) >> UInt64(bit & 7)
                    value |= (part & (1 << UInt64(taken) - 1)) << UInt64(filled)
                    filled += taken
                    bit += taken
                }
                body(value)
            }
            offset = min(offset + (width * all + 7) / 8, bytes.count)
        }
    }

    /// Decodes `DELTA_BYTE_ARRAY`: the length of the prefix shared with the text before, and the rest.
    static func texts(
        _ bytes: inout [UInt8], _ start: Int, _ column: ParquetColumn, _ count: Int
    ) throws(ParquetFault) -> ColumnValues.Layout {
        let shared = try integers(bytes, start, count: count)
        let lengths = try integers(bytes, shared.end, count: count)
        var joined: [UInt8] = []
        var starts: [UInt32] = [0]
        var (next, last) = (lengths.end, 0)
        for index in 0..<count {
            let (same, length) = (shared.values[index], lengths.values[index])
            guard same >= 0, same <= joined.count - last, length >= 0,
                length <= bytes.count - next
            else { throw .outOfBounds("a text") }
            guard joined.count + Int(same + length) <= ParquetPageHeader.sizeLimit else {
                throw .tooLarge("a page's texts become \(joined.count) bytes and more")
            }
            let start = joined.count
            // Copied first: otherwise the slice would make the whole array be copied.
            if same > 0 { joined += Array(joined[last..<last + Int(same)]) }
            joined += bytes[next..<next + Int(length)]
            next += Int(length)
            last = start
            starts.append(UInt32(joined.count))
        }
        bytes = joined
        guard let size = column.size else { return .texts(starts: starts, gap: 0) }
        guard joined.count == count * size else { throw .badPage("values are not of one size") }
        return .fixed(start: 0, size: size)
    }
}
