/// A summary of all payloads, in a few bytes each: the number of leaves and the box of each block, the first id
/// of each page, and the large clusters.
public struct BlockOverview: Equatable, Sendable {
    /// The boxes of the blocks, in the coordinates of their hulls.
    public var boxes: [GridBox] = []
    /// The number of leaves of each block; empty up to format 3.
    public var counts: [Int64] = []
    public var pages: [Page] = []
    /// By first block; of those that begin with the same block, the outermost first.
    public var large: [LargeCluster] = []

    /// A page of ids.
    public struct Page: Equatable, Sendable {
        /// Its first id.
        public var first: Int64
        /// The blocks that contain its clusters, in the order in which its ids first need them.
        public var blocks: [Int64]

        public init(first: Int64, blocks: [Int64]) {
            self.first = first
            self.blocks = blocks
        }
    }

    public init() {}

    /// The page that may have an id; nil if the id is below the first page.
    public func page(of id: Int64) -> Int? {
        let behind = pages.indices.partitionPoint { pages[$0].first > id }
        return behind > 0 ? behind - 1 : nil
    }

    /// The large clusters as rows of an index.
    public func records(in table: LeafBlockTable) -> [ClusterRecord] {
        var records: [ClusterRecord] = []
        var nesting = RowNesting()
        for cluster in large {
            var record = cluster.record(in: table)
            record.parent = nesting.enter(record)?.key
            records.append(record)
        }
        return records
    }
}

/// A cluster of more leaves than a block may have: a row of whole blocks.
public struct LargeCluster: Equatable, Sendable {
    public var blocks: Range<Int64>
    public var zoom: UInt8
    public var position: GridPoint
    public var shift: Int64

    public init(blocks: Range<Int64>, zoom: UInt8, position: GridPoint, shift: Int64) {
        self.blocks = blocks
        self.zoom = zoom
        self.position = position
        self.shift = shift
    }

    /// The same cluster, with `count` more blocks before it.
    public func moved(by count: Int64) -> LargeCluster {
        var moved = self
        moved.blocks = blocks.lowerBound + count..<blocks.upperBound + count
        return moved
    }

    public func key(in table: LeafBlockTable) -> ClusterKey {
        ClusterKey(firstLeaf: table.firstLeaf(ofBlock: blocks.lowerBound), zoom: zoom)
    }

    public func record(in table: LeafBlockTable) -> ClusterRecord {
        let key = key(in: table)
        return ClusterRecord(
            key: key, leafCount: table.firstLeaf(ofBlock: blocks.upperBound) - key.firstLeaf,
            position: position, parent: nil, shift: shift)
    }
}

enum OverviewField {
    static let edges: UInt64 = 2
    static let pages: UInt64 = 3
    static let counts: UInt64 = 4
    static let listed: UInt64 = 5
    static let blocks: UInt64 = 6
    // Fields of a chapter only.
    static let names: UInt64 = 13
    static let namedBlocks: UInt64 = 14
}

extension BlockOverview {
    public var packed: [UInt8] { MessageWriter.tile(BlockField.overview, message) }

    var message: MessageWriter {
        var message = MessageWriter()
        message.field(BlockField.format, ClusterBlock.format)
        message.list(OverviewField.edges, signed: boxes.edgeSteps)
        message.list(OverviewField.pages, pages.map(\.first).differences.map(UInt64.init))
        message.list(OverviewField.counts, counts.map(UInt64.init))
        message.list(OverviewField.listed, pages.map { UInt64($0.blocks.count) })
        message.list(OverviewField.blocks, signed: pages.flatMap(\.blocks).differences)
        RowColumns(large.map(\.rowOfBlocks)).write(to: &message, as: .ofOverview)
        return message
    }

    /// Reads an overview, and rejects values that could mislead a query.
    /// - Parameters:
    ///   - bytes: a payload, inflated.
    ///   - said: the numbers of payloads that there should be.
    public init(
        unpacking bytes: [UInt8], of said: ClusterDescription.Blocks
    ) throws(ClusterBlockError) {
        try self.init(
            MessageFields(BlockField.overview, of: bytes), blocks: Int(said.count),
            pages: Int(said.pages), allBlocks: said.count)
    }

    /// Reads an overview or a chapter of one, with the numbers of blocks and pages that it should have.
    init(
        _ fields: MessageFields, blocks: Int, pages: Int, allBlocks: Int64
    ) throws(ClusterBlockError) {
        boxes = try fields.boxes(OverviewField.edges, most: blocks)
        counts = try fields.list(OverviewField.counts, most: blocks).map { Int64(clamping: $0) }
        self.pages = try Self.pages(
            fields.list(OverviewField.pages, most: pages),
            fields.list(OverviewField.listed, most: pages),
            fields.signedList(OverviewField.blocks, most: IDPage.size * pages))
        // Each large cluster has more blocks than any within it, so there are no more of them than blocks.
        large = try RowColumns(fields, as: .ofOverview, most: blocks).rows()
            .map(LargeCluster.init(rowOfBlocks:))
        guard boxes.count == blocks, self.pages.count == pages,
            fields.format == 1 || counts.count == blocks
        else { throw .garbled("it has other numbers of blocks or pages than the metadata say") }
        guard large.allSatisfy({ $0.blocks.upperBound <= counts.count }),
            self.pages.allSatisfy({ $0.blocks.allSatisfy { (0..<allBlocks).contains($0) } })
        else { throw .garbled("it refers to blocks that do not exist") }
    }

    private static func pages(
        _ steps: [UInt64], _ listed: [UInt64], _ blockSteps: [Int64]
    ) throws(ClusterBlockError) -> [Page] {
        guard let firsts = steps.ascendingIDs else {
            throw .garbled("its pages of ids are out of order")
        }
        guard !listed.isEmpty || !blockSteps.isEmpty else {
            return firsts.map { Page(first: $0, blocks: []) }
        }
        var pages: [Page] = []
        var (block, next): (Int64, Int) = (0, 0)
        for (first, count) in zip(firsts, listed) {
            guard count <= UInt64(blockSteps.count - next) else { break }
            var page = Page(first: first, blocks: [])
            for step in blockSteps[next..<next + Int(count)] {
                block &+= step
                page.blocks.append(block)
            }
            next += Int(count)
            pages.append(page)
        }
        guard pages.count == firsts.count, listed.count == firsts.count, next == blockSteps.count
        else { throw .garbled("its lists of pages and their blocks do not match") }
        return pages
    }
}

extension LargeCluster {
    /// The cluster as a row whose leaves are blocks: the nesting is the same.
    var rowOfBlocks: ClusterRecord {
        ClusterRecord(
            key: ClusterKey(firstLeaf: blocks.lowerBound, zoom: zoom),
            leafCount: Int64(blocks.count), position: position, parent: nil, shift: shift)
    }

    init(rowOfBlocks row: ClusterRecord) {
        self.init(blocks: row.leaves, zoom: row.key.zoom, position: row.position, shift: row.shift)
    }
}

extension [GridBox] {
    /// The edges of each box, minus those of the box before.
    var edgeSteps: [Int64] {
        var before = GridBox.nowhere
        return flatMap { box in
            defer { before = box }
            return zip(box.edges, before.edges).map { $0 - $1 }
        }
    }
}

extension GridBox {
    fileprivate var edges: [Int64] { [west, north, east, south] }
}

extension MessageFields {
    /// Boxes from a list of the differences of their edges.
    func boxes(_ field: UInt64, most: Int) throws(ClusterBlockError) -> [GridBox] {
        let steps = try signedList(field, most: 4 * most)
        guard steps.count % 4 == 0 else { throw .garbled("a box does not have four edges") }
        var boxes: [GridBox] = []
        var edges: [Int64] = [0, 0, 0, 0]
        for start in stride(from: 0, to: steps.count, by: 4) {
            for edge in 0..<4 { edges[edge] &+= steps[start + edge] }
            let box = GridBox(west: edges[0], north: edges[1], east: edges[2], south: edges[3])
            guard box.makesSense else { throw .garbled("the edges of a box are not valid") }
            boxes.append(box)
        }
        return boxes
    }
}
