import Geometry

extension PointTable {
    /// The criterion for duplicate points.
    public enum Sameness: Hashable, Sendable {
        case place
        /// The same value of an attribute; points without one are all different.
        case attribute(String)
    }

    private enum Identity: Hashable {
        case place(UInt64, UInt64)
        case value(AttributeValue)
    }

    /// Keeps one of each set of duplicates, independently of their order: the first by position,
    /// weight, id and attributes. Returns the number of points removed.
    public mutating func removeDuplicates(by sameness: Sameness) -> Int {
        var firsts: [Identity: UInt32] = [:]
        var others: [UInt32] = []
        for row in 0..<count {
            guard let identity = identity(of: row, sameness) else {
                others.append(UInt32(row))
                continue
            }
            guard let first = firsts[identity] else {
                firsts[identity] = UInt32(row)
                continue
            }
            if precedes(row, Int(first)) { firsts[identity] = UInt32(row) }
        }
        let kept = (others + firsts.values).sorted()
        let removed = count - kept.count
        guard removed > 0 else { return 0 }
        var table = PointTable(keys: attributes.keys)
        table.append(kept.span, of: self)
        self = table
        return removed
    }

    private func identity(of row: Int, _ sameness: Sameness) -> Identity? {
        switch sameness {
        // Adding 0 turns −0 into 0.
        case .place: .place((xs[row] + 0).bitPattern, (ys[row] + 0).bitPattern)
        case .attribute(let name): attributes.value(of: name, row: row).map { .value($0) }
        }
    }

    private func precedes(_ row: Int, _ other: Int) -> Bool {
        func head(_ row: Int) -> [Double] { [xs[row], ys[row], -(weights?[row] ?? 1)] }
        let (mine, its) = (head(row), head(other))
        if mine != its { return mine.lexicographicallyPrecedes(its) }
        let ids = (ids?[row] ?? Self.noID, ids?[other] ?? Self.noID)
        if ids.0 != ids.1 { return ids.0 < ids.1 }
        return spelling(of: row).lexicographicallyPrecedes(spelling(of: other)) {
            $0.lexicographicallyPrecedes($1)
        }
    }

    /// A record's attributes by name, independently of their order: as bytes, because texts may
    /// differ in these alone.
    private func spelling(of row: Int) -> [[UInt8]] {
        var words: [[UInt8]] = []
        let names = attributes.keys.names
        attributes.withRecord(of: row) { record in
            var cursor = record.makeCursor()
            while let attribute = cursor.next() {
                let name = names[Int(attribute.key.number)]
                words.append(Array("\(name)=\(attribute.value.unpacked)".utf8))
            }
        }
        return words.sorted { $0.lexicographicallyPrecedes($1) }
    }
}
