import TestSupport
import Testing

@testable import PointInput

/// Columns that are put together from several pages, value by value.
struct StripBytesTests {
    /// A page of numbers of one size; some rows have none, where it says so.
    private static func page(
        of rows: Int, size: Int, hasNulls: Bool, _ random: inout SeededRandom
    ) -> (values: ColumnValues, numbers: [UInt32]) {
        let start = Int(random.next() % 5)
        let bytes = (0..<start + rows * size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let numbers = (0..<rows).map { _ -> UInt32 in
            if hasNulls, random.next() % 3 == 0 { return StripBytes.noValue }
            return UInt32(random.next() % UInt64(rows))
        }
        let layout = ColumnValues.Layout.fixed(start: start, size: size)
        return (ColumnValues(count: rows, bytes: bytes, layout: layout), numbers)
    }

    @Test(arguments: [(ColumnKind.half, 2), (.float, 4), (.double, 8), (.uuid, 16)])
    func `pages of one column lie one behind another, and rows without a value are told`(
        kind: ColumnKind, size: Int
    ) throws {
        var random = SeededRandom(seed: UInt64(size))
        for hasNulls in [false, true] {
            let counts = [3, 0, 8, 1, 13]
            var strip = StripBytes()
            strip.begin(rowCount: counts.reduce(0, +), behind: [1, 2, 3])
            var target = strip.beginColumn(of: kind)
            var wanted: [[UInt8]?] = []
            for count in counts {
                let (values, numbers) = Self.page(
                    of: count, size: size, hasNulls: hasNulls, &random)
                guard case .fixed(let start, _) = values.layout else { continue }
                func value(_ number: Int) -> [UInt8] {
                    Array(values.bytes[start + number * size..<start + (number + 1) * size])
                }
                if hasNulls {
                    strip.numbers = numbers
                    strip.clearValidity(of: &target)
                    try strip.gather(values, to: target)
                    wanted += numbers.map { $0 == StripBytes.noValue ? nil : value(Int($0)) }
                } else {
                    strip.copy(values.bytes, start..<start + count * size, to: target)
                    wanted += (0..<count).map(value)
                }
                target.row += count
            }
            strip.endColumn(target)
            let column = try #require(strip.columns.first)
            let found = wanted.indices.map { row -> [UInt8]? in
                if let bits = column.validity,
                    strip.bytes[bits.lowerBound + row / 8] >> (row % 8) & 1 == 0
                {
                    return nil
                }
                let start = column.values.lowerBound + row * size
                return Array(strip.bytes[start..<start + size])
            }
            #expect(found == wanted && (column.validity != nil) == hasNulls)
            #expect(Array(strip.bytes.prefix(3)) == [1, 2, 3])
        }
    }

    @Test func `texts of several pages lie one behind another, of any length`() throws {
        var random = SeededRandom(seed: 5)
        let counts = [4, 1, 30]
        var strip = StripBytes()
        strip.begin(rowCount: 35)
        var target = strip.beginColumn(of: .text(isLarge: false))
        var wanted: [[UInt8]] = []
        for count in counts {
            var (bytes, starts) = ([UInt8](), [UInt32(0)])
            for _ in 0..<count {
                bytes += (0..<[0, 1, 7, 8, 9, 31, 32, 33, 90][Int(random.next() % 9)]).map { _ in
                    UInt8(truncatingIfNeeded: random.next())
                }
                starts.append(UInt32(bytes.count))
            }
            strip.numbers = (0..<count).map { _ in UInt32(random.next() % UInt64(count)) }
            wanted += strip.numbers.map {
                Array(bytes[Int(starts[Int($0)])..<Int(starts[Int($0) + 1])])
            }
            let values = ColumnValues(
                count: count, bytes: bytes, layout: .texts(starts: starts, gap: 0))
            try strip.gather(values, to: target)
            target.row += count
        }
        strip.endColumn(target)
        let column = try #require(strip.columns.first)
        func offset(_ row: Int) -> Int {
            let start = column.offsets.lowerBound + 4 * row
            return strip.bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        let found = wanted.indices.map { row in
            let start = column.values.lowerBound
            return Array(strip.bytes[start + offset(row)..<start + offset(row + 1)])
        }
        #expect(found == wanted && column.values.count == wanted.reduce(0) { $0 + $1.count })
        #expect(column.validity == nil)
    }
}
