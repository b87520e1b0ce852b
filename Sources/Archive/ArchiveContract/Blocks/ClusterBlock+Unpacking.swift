extension ClusterBlock {
    /// Reads an index, and refuses what could mislead a query.
    /// - Parameters:
    ///   - bytes: the first member of a payload, inflated.
    ///   - number: of the block.
    ///   - leaves: those that it should have.
    ///   - around: the innermost large cluster that holds the block.
    public init(
        unpacking bytes: [UInt8], number: Int64, leaves: Range<Int64>, around: ClusterKey? = nil
    ) throws(ClusterBlockError) {
        var message = try MessageReader.message(BlockField.index, in: bytes)
        var said: [UInt64: UInt64] = [:]
        var hull: [Int64] = []
        var rows = RowColumns()
        while let (field, value) = try message.next() {
            switch (field, value) {
            case (BlockField.format...BlockField.leaves, .number(let number)): said[field] = number
            case (BlockField.hull, .bytes(let list)): hull = try list.signedList()
            case (BlockField.firsts, .bytes(let list)): rows.firsts = try list.list()
            case (BlockField.zooms, .bytes(let list)): rows.zooms = try list.list()
            case (BlockField.counts, .bytes(let list)): rows.counts = try list.list()
            case (BlockField.xs, .bytes(let list)): rows.xs = try list.signedList()
            case (BlockField.ys, .bytes(let list)): rows.ys = try list.signedList()
            case (BlockField.shifted, .bytes(let list)): rows.shifted = try list.signedList()
            default: break
            }
        }
        let format = try MessageReader.format(said[BlockField.format])
        guard said[BlockField.leaves] == UInt64(leaves.count) else {
            throw .garbled("it has not \(leaves.count) leaves")
        }
        let corners = try Self.points(hull)
        let isEqual = format == 1
        if isEqual {
            guard said[BlockField.block] == UInt64(number),
                said[BlockField.first] == UInt64(leaves.lowerBound)
            else { throw .garbled("it is that of another block") }
        } else {
            rows.around = around
            rows.firstLeaf = leaves.lowerBound
            rows.origin = corners.first ?? rows.origin
        }
        self.init(leaves: leaves, hull: corners, rows: try rows.rows())
        guard isEqual || self.rows.allSatisfy({ $0.leaves.upperBound <= leaves.upperBound }) else {
            throw .garbled("a row reaches over its end")
        }
    }

    /// Points from the differences of their coordinates.
    static func points(_ steps: [Int64]) throws(ClusterBlockError) -> [GridPoint] {
        guard steps.count % 2 == 0 else { throw .garbled("a list of corners is cut short") }
        var points: [GridPoint] = []
        var last = GridPoint(x: 0, y: 0)
        for index in stride(from: 0, to: steps.count, by: 2) {
            last = try last.moved(steps[index], steps[index + 1])
            points.append(last)
        }
        return points
    }
}

/// The lists of clusters as they are read.
struct RowColumns {
    var firsts: [UInt64] = []
    var zooms: [UInt64] = []
    var counts: [UInt64] = []
    var xs: [Int64] = []
    var ys: [Int64] = []
    var shifted: [Int64] = []
    /// The number from which first leaves count.
    var firstLeaf: Int64 = 0
    /// What positions count from where no row is around.
    var origin = GridPoint(x: 0, y: 0)
    /// The parent of such rows.
    var around: ClusterKey?

    func rows() throws(ClusterBlockError) -> [ClusterRecord] {
        guard [zooms.count, counts.count, xs.count, ys.count].allSatisfy({ $0 == firsts.count })
        else { throw .garbled("its lists are not of one length") }
        var rows: [ClusterRecord] = []
        var nesting = RowNesting()
        for index in firsts.indices {
            let before = UInt64(rows.last?.key.firstLeaf ?? firstLeaf)
            guard let first = Self.sum(before, firsts[index]),
                let zoom = Int64(exactly: zooms[index]), ContractNumber.zoom.holds(zoom),
                let end = Self.sum(UInt64(first), counts[index]), end > first
            else { throw .garbled("row \(index) names no cluster") }
            let parent = nesting.around(first)
            let position = try (parent?.position ?? origin).moved(xs[index], ys[index])
            let key = ClusterKey(firstLeaf: first, zoom: UInt8(zoom))
            let row = ClusterRecord(
                key: key, leafCount: end - first, position: position,
                parent: parent?.key ?? around)
            if row.parent?.zoom ?? 0 >= key.zoom, row.parent != nil {
                throw .garbled("row \(index) formed above its parent")
            }
            if let parent, parent.leaves.upperBound < end {
                throw .garbled("row \(index) does not lie within its parent")
            }
            if let last = rows.last, last.key >= key { throw .garbled("rows are out of order") }
            _ = nesting.enter(row)
            rows.append(row)
        }
        try shift(&rows)
        return rows
    }

    /// Two leaf numbers together, if that is one.
    private static func sum(_ first: UInt64, _ count: UInt64) -> Int64? {
        guard let first = Int64(exactly: first), let count = Int64(exactly: count),
            ContractNumber.first.holds(first), ContractNumber.leaves.holds(count),
            ContractNumber.leaves.holds(first + count)
        else { return nil }
        return first + count
    }

    /// Sets how far the names of some rows lie from their places.
    private func shift(_ rows: inout [ClusterRecord]) throws(ClusterBlockError) {
        guard shifted.count % 2 == 0 else { throw .garbled("a list of shifts is cut short") }
        var row: Int64 = 0
        for index in stride(from: 0, to: shifted.count, by: 2) {
            row &+= shifted[index]
            guard let place = Int(exactly: row), rows.indices.contains(place),
                ContractNumber.shift.holds(shifted[index + 1])
            else { throw .garbled("the shift of a row that is none") }
            rows[place].shift = shifted[index + 1]
        }
    }
}

extension GridPoint {
    fileprivate func moved(_ x: Int64, _ y: Int64) throws(ClusterBlockError) -> GridPoint {
        let (east, isFarEast) = Int64(self.x).addingReportingOverflow(x)
        let (south, isFarSouth) = Int64(self.y).addingReportingOverflow(y)
        guard !isFarEast, !isFarSouth, let x = Int32(exactly: east), let y = Int32(exactly: south)
        else { throw .garbled("a position lies outside of the world") }
        return GridPoint(x: x, y: y)
    }
}

extension MessageReader {
    /// The message in a field of a vector tile.
    static func message(
        _ field: UInt64, in tile: [UInt8]
    ) throws(ClusterBlockError) -> MessageReader {
        var reader = MessageReader(tile)
        while let (number, value) = try reader.next() {
            if number == field, case .bytes(let message) = value { return message }
        }
        throw .garbled("it is missing")
    }

    /// The format that a message has, if it is one that is known.
    static func format(_ said: UInt64?) throws(ClusterBlockError) -> UInt64 {
        guard let said, said > 0 else { throw .garbled("it has no format") }
        guard said <= ClusterBlock.format else { throw .newerFormat(said) }
        return said
    }
}
