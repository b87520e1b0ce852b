import Points
import TestSupport
import Testing

/// What blocks of a job hold comes back, and no byte that is damaged reads past the end.
struct BlockBytesTests {
    private static func written(_ body: (inout BlockSink) -> Void) -> [UInt8] {
        var sink = BlockSink()
        body(&sink)
        return sink.bytes
    }

    @Test func `numbers and texts lie little-endian, and lengths before what they count`() {
        #expect(Self.written { $0.write(258) } == [2, 1, 0, 0, 0, 0, 0, 0])
        #expect(Self.written { $0.write(-2) } == [254] + [UInt8](repeating: 255, count: 7))
        #expect(Self.written { $0.write(UInt64.max) } == [UInt8](repeating: 255, count: 8))
        #expect(Self.written { $0.write(1.0) } == [0, 0, 0, 0, 0, 0, 0xF0, 0x3F])
        #expect(Self.written { $0.write(byte: 9) } == [9])
        #expect(Self.written { $0.write(varint: 300) } == [0xAC, 2])
        #expect(Self.written { $0.write("ä") } == [2, 0, 0, 0, 0, 0, 0, 0, 0xC3, 0xA4])
        #expect(
            Self.written { $0.write(Column<UInt16>([1, 256])) } == [
                2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1,
            ])
        #expect(Self.written { $0.write([7, 8]) { $0.write(byte: $1) } } == [2, 7, 8])
    }

    private struct Everything: Equatable {
        var int = 0
        var unsigned: UInt64 = 0
        var double = 0.0
        var text = ""
        var raw: [UInt8] = []
        var column: [UInt32] = []
        var byte: UInt8 = 0
        var varint = 0
        var array: [Int] = []

        init(using random: inout SeededRandom) {
            int = Int(truncatingIfNeeded: random.next())
            unsigned = random.next()
            double = random.unit() - 0.5
            text = String(repeating: "é", count: Int(random.next() % 4))
            raw = (0..<random.next() % 4).map { UInt8($0) }
            column = (0..<random.next() % 4).map { UInt32($0) << 20 }
            byte = UInt8(truncatingIfNeeded: random.next())
            varint = Int(random.next() >> (1 + random.next() % 62))
            array = (0..<Int(random.next() % 4)).map { $0 * 1_000 }
        }

        init(reading source: inout BlockSource) throws(BlockSource.Damaged) {
            int = try source.int()
            unsigned = try source.unsigned()
            double = try source.double()
            text = try source.text()
            raw = try source.raw()
            let column = try source.column(of: UInt32.self)
            self.column = (0..<column.count).map { column[$0] }
            byte = try source.byte()
            varint = try source.varint()
            array = try source.array { source throws(BlockSource.Damaged) in try source.varint() }
        }

        func write(to sink: inout BlockSink) {
            sink.write(int)
            sink.write(unsigned)
            sink.write(double)
            sink.write(text)
            sink.write(raw)
            sink.write(Column(column))
            sink.write(byte: byte)
            sink.write(varint: varint)
            sink.write(array) { $0.write(varint: $1) }
        }
    }

    @Test(arguments: 0..<20)
    func `what was written comes back, and what is cut off anywhere is damaged`(seed: UInt64) throws
    {
        var random = SeededRandom(seed: seed)
        let (first, second) = (Everything(using: &random), Everything(using: &random))
        let bytes = Self.written {
            first.write(to: &$0)
            second.write(to: &$0)
        }
        var source = BlockSource(bytes)
        #expect(try Everything(reading: &source) == first)
        #expect(try Everything(reading: &source) == second)
        #expect(throws: BlockSource.Damaged.self) { try source.byte() }
        for end in bytes.indices {
            var cut = BlockSource(Array(bytes[..<end]))
            #expect(throws: BlockSource.Damaged.self) {
                _ = try Everything(reading: &cut)
                _ = try Everything(reading: &cut)
            }
        }
    }

    @Test func `lengths that the bytes do not hold are damage, whatever they say`() {
        func isDamaged(
            _ bytes: [UInt8], _ read: (inout BlockSource) throws -> Void
        ) -> Bool {
            var source = BlockSource(bytes)
            do { try read(&source) } catch { return true }
            return false
        }
        func counted(_ count: Int, _ more: Int) -> [UInt8] {
            Self.written { $0.write(count) } + [UInt8](repeating: 0x61, count: more)
        }
        for (count, more, isDamage) in [
            (4, 4, false), (5, 4, true), (-1, 4, true), (.max, 4, true), (.min, 4, true),
            (0, 0, false),
        ] {
            #expect(isDamaged(counted(count, more)) { _ = try $0.raw() } == isDamage)
            #expect(isDamaged(counted(count, more)) { _ = try $0.text() } == isDamage)
            let wide = counted(count, more * 8)
            #expect(isDamaged(wide) { _ = try $0.column(of: UInt64.self) } == isDamage)
            guard more > 0 else { continue }
            #expect(isDamaged(wide.dropLast()) { _ = try $0.column(of: UInt64.self) })
        }
        #expect(isDamaged(Self.written { $0.write([0xC3]) }) { _ = try $0.text() })
        // As many values as there are bytes left, and one more.
        #expect(
            !isDamaged([2, 5, 5]) {
                _ = try $0.array { s throws(BlockSource.Damaged) in try s.byte() }
            })
        #expect(
            isDamaged([3, 5, 5]) {
                _ = try $0.array { s throws(BlockSource.Damaged) in try s.byte() }
            })
        #expect(isDamaged([3, 5, 5]) { _ = try $0.array { _ throws(BlockSource.Damaged) in 0 } })
        // Past what an Int holds.
        #expect(isDamaged([UInt8](repeating: 255, count: 9) + [1]) { _ = try $0.varint() })
    }
}
