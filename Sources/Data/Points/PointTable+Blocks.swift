import Basics

extension BlockSink {
    /// Writes records, whose keys are numbers in the job's list of names.
    public mutating func write(_ table: AttributeTable) { write(table, rows: 0..<table.count) }

    private mutating func write(_ table: AttributeTable, rows: Range<Int>) {
        var ends = Column<UInt32>(capacity: rows.count)
        var portion = Column<UInt8>()
        var portions: [(ends: Column<UInt32>, records: Column<UInt8>)] = []
        table.forEachRecord(of: rows) { _, record in
            portion.append(contentsOf: record.bytes)
            ends.append(UInt32(portion.count))
            // A piece of records holds at most 4 GiB, and small ones are fast to make.
            if portion.count > 1 << 22 {
                portions.append((ends, portion))
                ends = Column()
                portion = Column()
            }
        }
        portions.append((ends, portion))
        write(portions.count)
        for portion in portions {
            write(portion.ends)
            write(portion.records)
        }
    }

    public mutating func write(_ points: PointTable) { write(points, rows: 0..<points.count) }

    /// Writes some points, with weights and ids if they have any.
    public mutating func write(_ points: PointTable, rows: Range<Int>) {
        write(points.xs.span.extracting(rows))
        write(points.ys.span.extracting(rows))
        if let weights = points.weights {
            write(weights.span.extracting(rows))
        } else {
            write(Column<Double>())
        }
        if let ids = points.ids {
            write(ids.span.extracting(rows))
        } else {
            write(Column<UInt64>())
        }
        write(points.attributes, rows: rows)
    }
}

extension BlockSource {
    public mutating func attributes(_ keys: StoredKeys) throws(Damaged) -> AttributeTable {
        var table = AttributeTable(keys: keys.keys)
        let portions = try int()
        guard portions >= 0 else { throw Damaged() }
        for _ in 0..<portions {
            let ends: Column<UInt32> = try column()
            let records = try raw()
            guard keys.hold(records, ends) else { throw Damaged() }
            keys.append(records, ends, to: &table)
        }
        return table
    }

    public mutating func points(_ keys: StoredKeys) throws(Damaged) -> PointTable {
        let xs: Column<Double> = try column()
        let ys: Column<Double> = try column()
        let weights: Column<Double> = try column()
        let ids: Column<UInt64> = try column()
        let attributes = try attributes(keys)
        let count = xs.count
        guard ys.count == count, attributes.count == count,
            weights.isEmpty || weights.count == count, ids.isEmpty || ids.count == count
        else { throw Damaged() }
        return PointTable(
            xs: xs, ys: ys, weights: weights.isEmpty ? nil : weights,
            ids: ids.isEmpty ? nil : ids, attributes: attributes)
    }
}

/// The attribute names of a file, and their keys in this process.
///
/// The file's records number attributes by these names. If this process has them in the same order,
/// as usual, records are used unchanged.
public struct StoredKeys: Sendable {
    public let keys: AttributeKeys
    private let count: Int
    /// The key of each name; nil if the numbers are the same.
    private let numbers: [AttributeKey]?

    /// Interns `names`, which are in the file's order, in `keys`.
    public init(_ names: [String], in keys: AttributeKeys) {
        self.keys = keys
        count = names.count
        let own = names.map { keys.intern($0) }
        numbers = own.indices.allSatisfy { own[$0].number == UInt32($0) } ? nil : own
    }

    /// The key for a number in the file; nil if there is none.
    public func key(ofStored number: Int) -> AttributeKey? {
        guard (0..<count).contains(number) else { return nil }
        return numbers.map { $0[number] } ?? AttributeKey(number: UInt32(number))
    }

    /// Whether the records end where `ends` says, and are packed correctly.
    fileprivate func hold(_ records: [UInt8], _ ends: Column<UInt32>) -> Bool {
        var offset = 0
        for index in 0..<ends.count {
            let end = Int(ends[index])
            guard end >= offset, end <= records.count else { return false }
            while offset < end {
                guard let key = Varint.read(records.span, &offset, end: end), key < UInt64(count),
                    PackedValue.pass(records.span, &offset, end: end)
                else { return false }
            }
        }
        return offset == records.count
    }

    fileprivate func append(
        _ records: [UInt8], _ ends: Column<UInt32>, to table: inout AttributeTable
    ) {
        guard let numbers else { return table.append(records, ends: ends.span) }
        var renamed = RecordBuilder()
        var newEnds = Column<UInt32>(capacity: ends.count)
        var start = 0
        for index in 0..<ends.count {
            let end = Int(ends[index])
            var cursor = AttributeRecord(records.span.extracting(start..<end)).makeCursor()
            while let attribute = cursor.next() {
                renamed.append(numbers[Int(attribute.key.number)], packed: attribute.value)
            }
            newEnds.append(UInt32(renamed.byteCount))
            start = end
        }
        table.append(renamed.bytes, ends: newEnds.span)
    }
}
