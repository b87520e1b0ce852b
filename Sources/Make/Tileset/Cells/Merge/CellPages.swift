import ArchiveContract
import Points
import TileArchive

/// The ids of a layer's clusters that stand in a cell, and the blocks that they lead to. If they are too many for one
/// page, the cell has pages of its own, independent of its neighbours; else they share pages with those of other cells.
struct CellPages: Equatable, Sendable {
    /// A block of one of the tasks in which the cell's clusters begin.
    struct Place: Hashable, Sendable {
        /// The index of the task among them.
        let task: Int
        let block: Int
    }

    struct Page: Equatable, Sendable {
        let first: Int64
        let blocks: [Place]
        let bytes: [UInt8]
        /// Their MD5.
        let sum: String
    }

    var pages: [Page] = []
    /// The ids that are on no page yet, and the blocks that they lead to.
    var ids: [Int64] = []
    var places: [Place] = []
}

extension CellPages {
    /// Reads the pages from a file.
    /// - Parameters:
    ///   - inputs: a sum over all that they depend on.
    ///   - blocks: the number of blocks in each of the tasks that they lead to.
    /// - Returns: nil if the file's pages depend on something else.
    init?(in path: String, following inputs: UInt64, blocks: [Int], _ job: CellJob) throws {
        var (reader, _) = try job.read(path)
        var head = try reader.block()
        var source = try reader.block()
        let read = try reader.decode { () throws(BlockSource.Damaged) -> CellPages? in
            guard try head.unsigned() == inputs else { return nil }
            return try source.cellPages(blocks)
        }
        guard let read else { return nil }
        self = read
    }

    func write(to path: String, following inputs: UInt64, _ job: CellJob) throws {
        var writer = try job.write(path)
        var (head, sink) = (BlockSink(), BlockSink())
        head.write(inputs)
        sink.write(self)
        for block in [head, sink] { try writer.append(block.bytes) }
        try writer.finish()
    }
}

extension BlockSink {
    fileprivate mutating func write(_ pages: CellPages) {
        write(pages.pages) { sink, page in
            sink.write(Int(page.first))
            sink.write(page.blocks)
            sink.write(page.bytes)
            sink.write(page.sum)
        }
        write(Column(pages.ids))
        write(pages.places)
    }

    private mutating func write(_ places: [CellPages.Place]) {
        write(places) { sink, place in
            sink.write(varint: place.task)
            sink.write(varint: place.block)
        }
    }
}

extension BlockSource {
    fileprivate mutating func cellPages(_ blocks: [Int]) throws(Damaged) -> CellPages {
        var pages = CellPages()
        pages.pages = try array { (source) throws(Damaged) in
            CellPages.Page(
                first: Int64(try source.int()), blocks: try source.places(blocks),
                bytes: try source.raw(), sum: try source.text())
        }
        let ids: Column<Int64> = try column()
        pages.ids = (0..<ids.count).map { ids[$0] }
        pages.places = try places(blocks)
        guard pages.places.count == pages.ids.count, pages.ids.isAscending,
            pages.pages.map(\.first).isAscending
        else { throw Damaged() }
        return pages
    }

    private mutating func places(_ blocks: [Int]) throws(Damaged) -> [CellPages.Place] {
        let places = try array { (source) throws(Damaged) in
            CellPages.Place(task: try source.varint(), block: try source.varint())
        }
        let areThere = places.allSatisfy {
            blocks.indices.contains($0.task) && $0.block < blocks[$0.task]
        }
        guard areThere else { throw Damaged() }
        return places
    }
}

extension [Int64] {
    /// Whether they are valid ids, each greater than the one before.
    fileprivate var isAscending: Bool {
        (first ?? 1) > 0 && zip(self, dropFirst()).allSatisfy { $0 < $1 }
    }
}
