extension ClusterBlock {
    /// Reads an index, and refuses what could mislead a query.
    public init(unpacking bytes: [UInt8]) throws(ClusterBlockError) {
        let message = try MessageReader.message(BlockField.index, in: bytes)
        var columns = Columns()
        try columns.read(message)
        guard let number = columns.number, let first = columns.first, let count = columns.count
        else { throw .garbled("its numbers are missing") }
        guard let end = Self.sum(first, count), let number = Int64(exactly: number),
            ContractNumber.block.holds(number)
        else { throw .garbled("its numbers are too great") }
        self.init(
            number: number, leaves: Int64(first)..<end,
            hull: try Self.points(columns.hull), rows: try columns.rows(),
            shapes: columns.shapes, copied: try Self.leaves(columns.copied),
            copies: columns.copies)
        guard beginning.filter(reachesOver).count == shapes.count else {
            throw .garbled("it has not one shape for each cluster that reaches over it")
        }
        guard copied.first.map({ $0 >= end }) ?? true else {
            throw .garbled("it copies leaves of its own")
        }
    }

    /// Two leaf numbers together, if that is one.
    static func sum(_ first: UInt64, _ count: UInt64) -> Int64? {
        guard let first = Int64(exactly: first), let count = Int64(exactly: count),
            ContractNumber.first.holds(first), ContractNumber.leaves.holds(count),
            ContractNumber.leaves.holds(first + count)
        else { return nil }
        return first + count
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

    private static func leaves(_ steps: [UInt64]) throws(ClusterBlockError) -> [Int64] {
        var leaves: [Int64] = []
        for step in steps {
            guard let leaf = sum(UInt64(leaves.last ?? 0), step), leaves.isEmpty || step > 0 else {
                throw .garbled("leaves that it copies are out of order")
            }
            leaves.append(leaf)
        }
        return leaves
    }
}

/// The lists of an index as they are read.
private struct Columns {
    var number: UInt64?
    var first: UInt64?
    var count: UInt64?
    var hull: [Int64] = []
    var firsts: [UInt64] = []
    var zooms: [UInt64] = []
    var counts: [UInt64] = []
    var xs: [Int64] = []
    var ys: [Int64] = []
    var shifted: [Int64] = []
    var shapes: [ClusterShape] = []
    var copied: [UInt64] = []
    var copies: [UInt8] = []

    mutating func read(_ message: MessageReader) throws(ClusterBlockError) {
        var message = message
        var format: UInt64?
        while let (field, value) = try message.next() {
            switch (field, value) {
            case (BlockField.format, .number(let value)): format = value
            case (BlockField.block, .number(let value)): number = value
            case (BlockField.first, .number(let value)): first = value
            case (BlockField.leaves, .number(let value)): count = value
            case (BlockField.hull, .bytes(let list)): hull = try list.signedList()
            case (BlockField.firsts, .bytes(let list)): firsts = try list.list()
            case (BlockField.zooms, .bytes(let list)): zooms = try list.list()
            case (BlockField.counts, .bytes(let list)): counts = try list.list()
            case (BlockField.xs, .bytes(let list)): xs = try list.signedList()
            case (BlockField.ys, .bytes(let list)): ys = try list.signedList()
            case (BlockField.shifted, .bytes(let list)): shifted = try list.signedList()
            case (BlockField.shapes, .bytes(let shape)): shapes.append(try ClusterShape(shape))
            case (BlockField.copied, .bytes(let list)): copied = try list.list()
            case (BlockField.copies, .bytes(let tile)): copies = tile.rest
            default: break
            }
        }
        guard let format, format > 0 else { throw .garbled("it has no format") }
        guard format <= ClusterBlock.format else { throw .newerFormat(format) }
    }

    func rows() throws(ClusterBlockError) -> [ClusterRecord] {
        guard [zooms.count, counts.count, xs.count, ys.count].allSatisfy({ $0 == firsts.count })
        else { throw .garbled("its lists are not of one length") }
        var rows: [ClusterRecord] = []
        var nesting = RowNesting()
        for index in firsts.indices {
            let before = UInt64(rows.last?.key.firstLeaf ?? 0)
            guard let first = ClusterBlock.sum(before, firsts[index]),
                let zoom = Int64(exactly: zooms[index]), ContractNumber.zoom.holds(zoom),
                let end = ClusterBlock.sum(UInt64(first), counts[index]), end > first
            else { throw .garbled("row \(index) names no cluster") }
            let parent = nesting.around(first)
            let position = try (parent?.position ?? GridPoint(x: 0, y: 0))
                .moved(xs[index], ys[index])
            let key = ClusterKey(firstLeaf: first, zoom: UInt8(zoom))
            let row = ClusterRecord(
                key: key, leafCount: end - first, position: position, parent: parent?.key)
            if let parent, parent.key.zoom >= key.zoom || parent.leaves.upperBound < end {
                throw .garbled("row \(index) does not lie within its parent")
            }
            if let last = rows.last, last.key >= key { throw .garbled("rows are out of order") }
            _ = nesting.enter(row)
            rows.append(row)
        }
        try shift(&rows)
        return rows
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

extension ClusterShape {
    fileprivate init(_ message: MessageReader) throws(ClusterBlockError) {
        var message = message
        var edges: [Int64] = []
        var steps: [Int64] = []
        while let (field, value) = try message.next() {
            guard case .bytes(let list) = value else { continue }
            if field == BlockField.box { edges = try list.signedList() }
            if field == BlockField.corners { steps = try list.signedList() }
        }
        guard edges.count == 4 else { throw .garbled("a box has not four edges") }
        let box = GridBox(west: edges[0], north: edges[1], east: edges[2], south: edges[3])
        guard box.makesSense else { throw .garbled("a box is turned inside out") }
        self.init(box: box, corners: try ClusterBlock.points(steps))
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
}
