import Geometry

/// What each chapter of a divided overview has, and the large clusters that lie in several chapters.
public struct OverviewContents: Equatable, Sendable {
    /// For each chapter a box around the boxes of its blocks.
    public var boxes: [GridBox] = []
    /// For each chapter the number of leaves of its blocks.
    public var counts: [Int64] = []
    /// The first ids of the chapters that have pages: the first ones.
    public var pages: [Int64] = []
    /// For each chapter how many large clusters begin in its blocks.
    public var large: [Int64] = []
    public var wide: [WideCluster] = []

    init(_ chapters: [OverviewChapter]) {
        boxes = chapters.map { GridBox(around: $0.overview.boxes) }
        counts = chapters.map(\.leafCount)
        pages = chapters.compactMap { $0.overview.pages.first?.first }
        large = Array(repeating: 0, count: chapters.count)
    }
}

/// A large cluster that lies in several chapters, with what follows from their blocks.
public struct WideCluster: Equatable, Sendable {
    public var cluster: LargeCluster
    /// Its number among all large clusters.
    public var number: Int64
    public var leaves: Range<Int64>
    /// The narrowest box around the boxes of its blocks.
    public var box: GridBox
}

extension WideCluster {
    /// - Parameter boxes: those of all blocks of the table.
    init(_ cluster: LargeCluster, _ number: Int, in table: LeafBlockTable, _ boxes: [GridBox]) {
        let own = boxes[Int(cluster.blocks.lowerBound)..<Int(cluster.blocks.upperBound)]
        self.init(
            cluster: cluster, number: Int64(number), leaves: cluster.record(in: table).leaves,
            box: GridBox(WorldBox(wrapping: own.map(\.worldBox))) ?? .nowhere)
    }
}

private enum ContentsField {
    static let edges: UInt64 = 2
    static let pages: UInt64 = 3
    static let counts: UInt64 = 4
    static let large: UInt64 = 5
    static let numbers: UInt64 = 6
    static let firsts: UInt64 = 13
    static let leaves: UInt64 = 14
    static let wideEdges: UInt64 = 15
}

extension OverviewContents {
    public var packed: [UInt8] {
        var message = MessageWriter()
        message.field(BlockField.format, ClusterBlock.format)
        message.list(ContentsField.edges, signed: boxes.edgeSteps)
        message.list(ContentsField.pages, pages.differences.map(UInt64.init))
        message.list(ContentsField.counts, counts.map(UInt64.init))
        message.list(ContentsField.large, large.map(UInt64.init))
        message.list(ContentsField.numbers, wide.map(\.number).differences.map(UInt64.init))
        RowColumns(wide.map(\.cluster.rowOfBlocks)).write(to: &message, as: .ofOverview)
        message.list(
            ContentsField.firsts, wide.map(\.leaves.lowerBound).differences.map(UInt64.init))
        message.list(ContentsField.leaves, wide.map { UInt64($0.leaves.count) })
        message.list(ContentsField.wideEdges, signed: wide.map(\.box).edgeSteps)
        return MessageWriter.tile(BlockField.contents, message)
    }

    /// Reads contents, and rejects values that could mislead a query.
    /// - Parameters:
    ///   - bytes: a payload, inflated.
    ///   - said: the numbers of payloads that there should be.
    public init(
        unpacking bytes: [UInt8], of said: ClusterDescription.Blocks
    ) throws(ClusterBlockError) {
        let fields = try MessageFields(BlockField.contents, of: bytes)
        let chapters = Int(said.chapters)
        func numbers(_ field: UInt64, most: Int) throws(ClusterBlockError) -> [Int64] {
            try fields.list(field, most: most).map { Int64(clamping: $0) }
        }
        boxes = try fields.boxes(ContentsField.edges, most: chapters)
        counts = try numbers(ContentsField.counts, most: chapters)
        large = try numbers(ContentsField.large, most: chapters)
        let firstIDs = try fields.list(ContentsField.pages, most: chapters).ascendingIDs
        guard let firstIDs, [boxes.count, counts.count, large.count].allSatisfy({ $0 == chapters })
        else { throw .garbled("its lists of chapters do not match") }
        pages = firstIDs
        wide = try Self.wide(fields, of: said)
    }

    private static func wide(
        _ fields: MessageFields, of said: ClusterDescription.Blocks
    ) throws(ClusterBlockError) -> [WideCluster] {
        let rows = try RowColumns(fields, as: .ofOverview, most: Int(said.count)).rows()
        let numbers = try fields.list(ContentsField.numbers, most: rows.count)
        let firsts = try fields.list(ContentsField.firsts, most: rows.count)
        let leaves = try fields.list(ContentsField.leaves, most: rows.count)
        let boxes = try fields.boxes(ContentsField.wideEdges, most: rows.count)
        guard
            [numbers.count, firsts.count, leaves.count, boxes.count]
                .allSatisfy({ $0 == rows.count })
        else { throw .garbled("its lists of large clusters do not match") }
        var wide: [WideCluster] = []
        var (number, first): (Int64, Int64) = (0, 0)
        for (index, row) in rows.enumerated() {
            number &+= Int64(clamping: numbers[index])
            first &+= Int64(clamping: firsts[index])
            let count = Int64(clamping: leaves[index])
            guard ContractNumber.leaves.holds(first), ContractNumber.leaves.holds(count),
                row.leaves.upperBound <= said.count
            else { throw .garbled("large cluster \(index) is not valid") }
            wide.append(
                WideCluster(
                    cluster: LargeCluster(rowOfBlocks: row), number: number,
                    leaves: first..<first + count, box: boxes[index]))
        }
        return wide
    }
}

extension GridBox {
    /// The smallest box around others, without wrapping; `nowhere` if there are none.
    fileprivate init(around boxes: [GridBox]) {
        self = boxes.first ?? .nowhere
        for box in boxes {
            west = min(west, box.west)
            north = min(north, box.north)
            east = max(east, box.east)
            south = max(south, box.south)
        }
    }
}
