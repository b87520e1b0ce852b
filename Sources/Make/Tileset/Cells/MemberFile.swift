import Clustering
import Points

/// Where the points of a cell lie, in the order of its leaves, and what clusters may inherit from each: for
/// hierarchies whose clusters stand at the point nearest to the mean of all, which the top has to find among
/// points that it was not handed.
///
/// The file holds blocks of some thousands of leaves: the hierarchy, the places, and records where a cluster
/// inherits anything.
struct MemberFile {
    private let job: CellJob

    private static let leavesInBlock = 1 << 16

    init(_ job: CellJob) { self.job = job }

    func write(
        _ pieces: [CellPiece], of cell: Int, _ tables: [PointTable], _ passes: Int
    ) throws {
        guard job.wantsMembers else { return }
        var writer = try job.write(
            job.files.members(of: job.division.cells[cell].cellName, passes))
        for (index, piece) in pieces.enumerated() where job.wantsMembers(of: index) {
            let layer = job.units[index].layer
            var first = 0
            while first < piece.leafCount {
                let leaves = first..<min(first + Self.leavesInBlock, piece.leafCount)
                try writer.append(block(of: leaves, piece, index, tables[layer]))
                first = leaves.upperBound
            }
        }
        try writer.finish()
    }

    private func block(
        of leaves: Range<Int>, _ piece: CellPiece, _ unit: Int, _ table: PointTable
    ) -> [UInt8] {
        let options = job.layerOptions[job.units[unit].layer]
        var sink = BlockSink()
        sink.write(unit)
        sink.write(MemberColumn.bytes(piece.places(ofLeaves: leaves, in: table, options: options)))
        guard !options.inherit.isEmpty else { return sink.bytes }
        let keys = Set(options.inherit.compactMap { job.keys.key(named: $0) })
        var records = AttributeTable(keys: job.keys)
        for leaf in leaves {
            var record = RecordBuilder()
            var cursor = table.attributes[piece.row(ofLeaf: leaf)].makeCursor()
            while let attribute = cursor.next() {
                guard keys.contains(attribute.key) else { continue }
                record.append(attribute.key, packed: attribute.value)
            }
            records.append(record.bytes, ends: [UInt32(record.byteCount)].span)
        }
        sink.write(records)
        return sink.bytes
    }

    /// The records of a block that begins there.
    func records(at offset: Int, of cell: Int, _ passes: Int) throws -> AttributeTable {
        let path = job.files.members(of: job.division.cells[cell].cellName, passes)
        var (reader, keys) = try job.read(path)
        reader.seek(to: offset)
        var source = try reader.block()
        return try reader.decode { () throws(BlockSource.Damaged) in
            _ = try source.int()
            _ = try source.raw()
            return try source.attributes(keys)
        }
    }
}

/// Reads the places of a cell's points block by block.
struct MemberReader {
    struct Block {
        /// Where it begins in the file.
        var offset: Int
        var unit: Int
        var places: [UInt8]
    }

    private var reader: JobFileReader
    private let unitCount: Int

    init(of cell: Int, _ passes: Int, _ job: CellJob) throws(JobError) {
        unitCount = job.units.count
        (reader, _) = try job.read(
            job.files.members(of: job.division.cells[cell].cellName, passes))
    }

    /// The next block; nil behind the last.
    mutating func next() throws(JobError) -> Block? {
        let offset = reader.position
        guard let bytes = try reader.next() else { return nil }
        var source = BlockSource(bytes)
        let block = try reader.decode { () throws(BlockSource.Damaged) in
            Block(offset: offset, unit: try source.int(), places: try source.raw())
        }
        guard (0..<unitCount).contains(block.unit),
            block.places.count % MemberColumn.stride == 0
        else { throw .damaged(path: reader.path) }
        return block
    }
}

extension CellJob {
    /// Whether the top looks at the points again that are below what the cells hand up of a hierarchy.
    func wantsMembers(of unit: Int) -> Bool {
        layerOptions[units[unit].layer].position == .nearest
    }

    var wantsMembers: Bool { units.indices.contains(where: wantsMembers) }
}

/// Places of members one behind the other, as they lie in files: x, y and the weight of each.
enum MemberColumn {
    static let stride = 24

    static func bytes(_ places: MemberPlaces) -> [UInt8] {
        var sink = BlockSink()
        for index in places.xs.indices {
            sink.write(places.xs[index])
            sink.write(places.ys[index])
            sink.write(places.weights[index])
        }
        return sink.bytes
    }

    static func append(_ bytes: [UInt8], to places: inout MemberPlaces) {
        var source = BlockSource(bytes)
        while let x = try? source.double(), let y = try? source.double(),
            let weight = try? source.double()
        {
            places.xs.append(x)
            places.ys.append(y)
            places.weights.append(weight)
        }
    }
}
