import Compression

/// The description of a record batch: rows, null counts of nodes, and the places of the buffers in its body.
struct ArrowBatch: Sendable {
    private(set) var rowCount = 0
    private(set) var nodes: [(rows: Int, nulls: Int)] = []
    private(set) var buffers: [(offset: Int, length: Int)] = []
    private(set) var codec: BlockCodec?
    /// The number of additional buffers of each column of views.
    private(set) var viewBuffers: [Int] = []

    /// A batch's table: 0 rows, 1 nodes, 2 buffers, 3 compression, 4 numbers of view buffers.
    init(_ table: borrowing FlatTable) throws {
        if let compression = try table.table(3) {
            let number: UInt8 = try compression.integer(0, default: 0)
            guard number <= 1 else { throw ArrowFault.unknownCodec(Int(number)) }
            codec = number == 0 ? .lz4Frame : .zstandard
        }
        rowCount = Int(try table.integer(0, default: Int64(0)))
        nodes = try Self.pairs(table.vector(1, elementSize: 16)).map { (rows: $0.0, nulls: $0.1) }
        buffers = try Self.pairs(table.vector(2, elementSize: 16))
            .map { (offset: $0.0, length: $0.1) }
        let counts = try table.vector(4, elementSize: 8)
        viewBuffers = (0..<counts.count / 8).map { counts.number(8 * $0, 8) }
    }

    private static func pairs(_ bytes: Span<UInt8>) -> [(Int, Int)] {
        (0..<bytes.count / 16).map { (bytes.number(16 * $0, 8), bytes.number(16 * $0 + 8, 8)) }
    }

    /// The first buffer of each node, and its additional view buffers.
    func places(of nodes: [ArrowSchema.Node]) throws(ArrowFault) -> [(first: Int, views: Int)] {
        var places: [(first: Int, views: Int)] = []
        var (next, view) = (0, 0)
        for node in nodes {
            var views = 0
            if node.isView {
                guard view < viewBuffers.count, (0...buffers.count).contains(viewBuffers[view])
                else { throw .badMessage("a batch has other columns than the schema") }
                views = viewBuffers[view]
                view += 1
            }
            places.append((next, views))
            next += node.bufferCount + views
        }
        guard rowCount >= 0, self.nodes.count == nodes.count, buffers.count == next else {
            throw .badMessage("a batch has other columns than the schema")
        }
        return places
    }
}
