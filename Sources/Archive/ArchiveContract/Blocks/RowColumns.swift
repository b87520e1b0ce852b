/// The fields of a message that hold the rows of clusters.
struct RowFields {
    let firsts: UInt64
    let zooms: UInt64
    let counts: UInt64
    let xs: UInt64
    let ys: UInt64
    let shifted: UInt64

    static let ofBlock = RowFields(firsts: 6, zooms: 7, counts: 8, xs: 9, ys: 10, shifted: 14)
    static let ofOverview = RowFields(
        firsts: 7, zooms: 9, counts: 8, xs: 10, ys: 11, shifted: 12)
}

/// The rows of clusters as messages have them: a list for each number of a row.
struct RowColumns {
    private var firsts: [UInt64] = []
    private var zooms: [UInt64] = []
    private var counts: [UInt64] = []
    private var xs: [Int64] = []
    private var ys: [Int64] = []
    private var shifted: [Int64] = []
    /// The number that first leaves are counted from.
    var firstLeaf: Int64 = 0
    /// The position that rows without a parent row are relative to.
    var origin = Self.noOrigin
    /// The parent of rows without a parent row.
    var around: ClusterKey?

    static let noOrigin = GridPoint(x: 0, y: 0)

    /// Splits rows into columns; they come by ascending key.
    init(_ rows: [ClusterRecord], firstLeaf: Int64 = 0, origin: GridPoint = Self.noOrigin) {
        var nesting = RowNesting()
        var last = firstLeaf
        for row in rows {
            firsts.append(UInt64(row.key.firstLeaf - last))
            last = row.key.firstLeaf
            zooms.append(UInt64(row.key.zoom))
            counts.append(UInt64(row.leafCount))
            let base = nesting.enter(row)?.position ?? origin
            xs.append(Int64(row.position.x) - Int64(base.x))
            ys.append(Int64(row.position.y) - Int64(base.y))
        }
        // Hardly any row has a name that is not its place.
        let moved = rows.indices.filter { rows[$0].shift != 0 }.map(Int64.init)
        shifted = zip(moved, moved.differences).flatMap { [$1, rows[Int($0)].shift] }
    }

    func write(to message: inout MessageWriter, as fields: RowFields) {
        let numbers = [(fields.firsts, firsts), (fields.zooms, zooms), (fields.counts, counts)]
        for (field, list) in numbers.sorted(by: { $0.0 < $1.0 }) { message.list(field, list) }
        message.list(fields.xs, signed: xs)
        message.list(fields.ys, signed: ys)
        message.list(fields.shifted, signed: shifted)
    }

    init(
        _ message: MessageFields, as fields: RowFields, most: Int
    ) throws(ClusterBlockError) {
        firsts = try message.list(fields.firsts, most: most)
        zooms = try message.list(fields.zooms, most: most)
        counts = try message.list(fields.counts, most: most)
        xs = try message.signedList(fields.xs, most: most)
        ys = try message.signedList(fields.ys, most: most)
        shifted = try message.signedList(fields.shifted, most: 2 * most)
    }

    func rows() throws(ClusterBlockError) -> [ClusterRecord] {
        guard [zooms.count, counts.count, xs.count, ys.count].allSatisfy({ $0 == firsts.count })
        else { throw .garbled("its lists differ in length") }
        var rows: [ClusterRecord] = []
        var nesting = RowNesting()
        for index in firsts.indices {
            let before = UInt64(rows.last?.key.firstLeaf ?? firstLeaf)
            guard let first = Self.sum(before, firsts[index]),
                let zoom = Int64(exactly: zooms[index]), ContractNumber.zoom.holds(zoom),
                let end = Self.sum(UInt64(first), counts[index]), end > first
            else { throw .garbled("row \(index) is not a valid cluster") }
            let parent = nesting.around(first)
            let position = try (parent?.position ?? origin).moved(xs[index], ys[index])
            let key = ClusterKey(firstLeaf: first, zoom: UInt8(zoom))
            let row = ClusterRecord(
                key: key, leafCount: end - first, position: position,
                parent: parent?.key ?? around)
            if let above = row.parent, above.zoom >= key.zoom {
                throw .garbled("row \(index) is at no deeper zoom than its parent")
            }
            if let parent, parent.leaves.upperBound < end {
                throw .garbled("row \(index) has leaves outside its parent")
            }
            if let last = rows.last, last.key >= key { throw .garbled("rows are out of order") }
            _ = nesting.enter(row)
            rows.append(row)
        }
        try shift(&rows)
        return rows
    }

    /// The sum of two leaf numbers, if it is a valid one.
    private static func sum(_ first: UInt64, _ count: UInt64) -> Int64? {
        guard let first = Int64(exactly: first), let count = Int64(exactly: count),
            ContractNumber.first.holds(first), ContractNumber.leaves.holds(count),
            ContractNumber.leaves.holds(first + count)
        else { return nil }
        return first + count
    }

    /// Sets the shifts of those rows whose names are not at their places.
    private func shift(_ rows: inout [ClusterRecord]) throws(ClusterBlockError) {
        guard shifted.count % 2 == 0 else { throw .garbled("a list of shifts is cut short") }
        var row: Int64 = 0
        for index in stride(from: 0, to: shifted.count, by: 2) {
            row &+= shifted[index]
            guard let place = Int(exactly: row), rows.indices.contains(place),
                ContractNumber.shift.holds(shifted[index + 1])
            else { throw .garbled("a shift is not valid or belongs to no row") }
            rows[place].shift = shifted[index + 1]
        }
    }
}

extension GridPoint {
    func moved(_ x: Int64, _ y: Int64) throws(ClusterBlockError) -> GridPoint {
        let (east, isFarEast) = Int64(self.x).addingReportingOverflow(x)
        let (south, isFarSouth) = Int64(self.y).addingReportingOverflow(y)
        guard !isFarEast, !isFarSouth, let x = Int32(exactly: east), let y = Int32(exactly: south)
        else { throw .garbled("a position is outside the world") }
        return GridPoint(x: x, y: y)
    }
}

/// The clusters that hold the next row, while rows come in the order of their keys.
struct RowNesting {
    private var open: [ClusterRecord] = []

    /// Enters a cluster, which is the innermost from then on; returns the cluster that holds it.
    mutating func enter(_ row: ClusterRecord) -> ClusterRecord? {
        let parent = around(row.key.firstLeaf)
        open.append(row)
        return parent
    }

    /// The innermost of the entered clusters that holds a leaf.
    mutating func around(_ leaf: Int64) -> ClusterRecord? {
        while let last = open.last, last.leaves.upperBound <= leaf { open.removeLast() }
        return open.last
    }
}
