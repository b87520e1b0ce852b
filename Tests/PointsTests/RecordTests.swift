import Geometry
import Points
import TestSupport
import Testing

/// Records over several pieces of memory, and each of the ways to write and read them.
struct RecordTests {
    /// A table whose records take some pieces: a text of 60 to 300 bytes a row.
    private static func table(rows: Int) -> (table: AttributeTable, texts: [String]) {
        var random = SeededRandom(seed: 31)
        var table = AttributeTable()
        let key = table.keys.intern("text")
        var texts: [String] = []
        while texts.count < rows {
            var records = RecordBuilder()
            var ends: [UInt32] = []
            for _ in 0..<min(400, rows - texts.count) {
                let length = Int.random(in: 60...300, using: &random)
                texts.append("\(texts.count) " + String(repeating: "x", count: length))
                records.append(key, text: texts[texts.count - 1])
                ends.append(UInt32(records.bytes.count))
            }
            table.append(records.bytes, ends: ends.span)
        }
        return (table, texts)
    }

    private static func text(_ record: borrowing AttributeRecord) -> String? {
        var cursor = record.makeCursor()
        guard let attribute = cursor.next(), case .text(let text) = attribute.value.unpacked else {
            return nil
        }
        return cursor.next() == nil ? text : nil
    }

    @Test func `records of any range come one after another, over the ends of pieces`() {
        let (table, texts) = Self.table(rows: 3_000)
        // More than one piece holds, so that some range begins and ends in different ones.
        #expect(table.byteCount > 4 << 16)
        for rows in [0..<3_000, 0..<0, 0..<1, 2_999..<3_000, 377..<2_411, 399..<401] {
            var seen: [String?] = []
            table.forEachRecord(of: rows) { row, record in
                #expect(row == rows.lowerBound + seen.count)
                seen.append(Self.text(record))
            }
            #expect(seen == texts[rows].map { $0 })
        }
        for row in [0, 399, 400, 2_999] { #expect(Self.text(table[row]) == texts[row]) }
    }

    @Test(arguments: [0, 1, 399, 400, 401, 1_700, 2_999, 3_000, 4_000])
    func `a table that is cut short holds its first rows, and grows again`(count: Int) {
        var (table, texts) = Self.table(rows: 3_000)
        table.truncate(to: count)
        let kept = min(count, 3_000)
        #expect(table.count == kept)
        var records = RecordBuilder()
        records.append(table.keys.intern("text"), text: "new")
        table.append(records.bytes, ends: [UInt32(records.bytes.count)].span)
        texts = texts.prefix(kept) + ["new"]
        #expect(table.count == texts.count)
        var seen: [String?] = []
        table.forEachRecord(of: 0..<table.count) { _, record in seen.append(Self.text(record)) }
        #expect(seen == texts.map { $0 })
    }

    /// A length takes one byte below 128 and one more for each seven bits.
    @Test(arguments: [0, 1, 7, 8, 127, 128, 129, 8_191, 8_192, 16_383, 16_384, 20_000])
    func `a text that is stored before its length is known is packed as any other`(length: Int) {
        let key = AttributeKey(number: 300)
        let text = (0..<length).map { UInt8(97 + $0 % 26) }
        var records = RecordBuilder()
        records.append(key, integer: -5)
        var writer = unsafe records.lendWriter(room: length + 64)
        let hasBegun = writer.beginText(key)
        for start in stride(from: 0, to: length, by: 8) {
            var word: UInt64 = 0
            for (index, byte) in text[start..<min(start + 8, length)].enumerated() {
                word |= UInt64(byte) << UInt64(8 * index)
            }
            #expect(writer.store(word, at: start))
        }
        let hasEnded = writer.endText(count: length)
        #expect(hasBegun && hasEnded)
        writer.append(key, bool: true)
        records.take(writer)
        var wanted = RecordBuilder()
        wanted.append(key, integer: -5)
        wanted.append(key, text: String(decoding: text, as: UTF8.self))
        wanted.append(key, bool: true)
        #expect(records.bytes == wanted.bytes)
    }

    @Test func `a writer without room says so, and a lent one with just enough does not`() {
        let key = AttributeKey(number: 0)
        var records = RecordBuilder()
        var writer = unsafe records.lendWriter(room: RecordWriter.longestNumber)
        let hasBegun = writer.beginText(key)
        #expect(hasBegun && writer.room == 14)
        #expect(writer.store(0, at: 5) && !writer.store(0, at: 6))
        let fits = writer.endText(count: 4)
        var small = unsafe records.lendWriter(room: RecordWriter.longestNumber - 1)
        let begins = small.beginText(key)
        var other = unsafe records.lendWriter(room: RecordWriter.longestNumber)
        let isTooLong = other.beginText(key) && !other.endText(count: 5)
        #expect(fits && !begins && isTooLong)
    }

    @Test func `truth is told from falsehood, and from what is no truth value`() {
        var table = AttributeTable()
        var records = RecordBuilder()
        for (name, value) in [
            ("yes", .bool(true)), ("no", .bool(false)), ("one", .integer(1)), ("text", .text("a")),
        ] as [(String, AttributeValue)] {
            records.append(table.keys.intern(name), value)
        }
        table.append(records.bytes, ends: [UInt32(records.bytes.count)].span)
        func bool(_ name: String) -> Bool? {
            table.keys.key(named: name).flatMap { table[0].value(of: $0)?.bool }
        }
        #expect(bool("yes") == true && bool("no") == false)
        #expect(bool("one") == nil && bool("text") == nil)
    }

    @Test func `a table says what it takes, and keeps both coordinates`() {
        var table = PointTable()
        var batch = PointBatch()
        batch.append(WorldPoint(x: 0.25, y: 0.75))
        batch.append(WorldPoint(x: 0.5, y: 0.125))
        table.append(batch)
        #expect(table.position(of: 0) == WorldPoint(x: 0.25, y: 0.75))
        #expect(table.position(of: 1) == WorldPoint(x: 0.5, y: 0.125))
        // Two coordinates and the start of a record, eight bytes each.
        #expect(table.byteCount == 2 * 24)
        var weighted = PointBatch()
        weighted.append(WorldPoint(x: 0, y: 0), weight: 3, id: 9)
        table.append(weighted)
        #expect(table.byteCount == 3 * 40)
        #expect(table.weights.map { [$0[0], $0[1], $0[2]] } == [1, 1, 3])
        #expect(table.ids.map { [$0[0], $0[2]] } == [PointTable.noID, 9])
    }
}
