import Geometry

/// The overview of a large archive: chapters of equally many blocks and pages, and the contents, which say what each
/// chapter has. To find a cluster, a reader on the web needs the contents and two chapters.
public struct DividedOverview: Equatable, Sendable {
    public var contents: OverviewContents
    public var chapters: [OverviewChapter]

    /// How many blocks and pages a chapter has.
    public static let chapterSize = 1_024
    /// An overview of no more chapters is not divided: to fetch two of them would take longer than to fetch all.
    public static let fewChapters = 8

    public init(contents: OverviewContents, chapters: [OverviewChapter]) {
        self.contents = contents
        self.chapters = chapters
    }

    /// Divides an overview.
    /// - Parameters:
    ///   - overview: the overview in one piece.
    ///   - table: the division of leaves into its blocks.
    ///   - size: how many blocks and pages a chapter has.
    ///   - id: returns the id of a large cluster.
    public init(
        _ overview: BlockOverview, in table: LeafBlockTable, chapterSize size: Int,
        id: (ClusterRecord) -> Int64
    ) {
        let count = (max(overview.counts.count, overview.pages.count) + size - 1) / size
        chapters = (0..<count).map { chapter in
            func part<Element>(of list: [Element]) -> [Element] {
                Array(list.dropFirst(chapter * size).prefix(size))
            }
            var own = OverviewChapter()
            own.overview.boxes = part(of: overview.boxes)
            own.overview.counts = part(of: overview.counts)
            own.overview.pages = part(of: overview.pages)
            return own
        }
        contents = OverviewContents(chapters)
        for (number, cluster) in overview.large.enumerated() {
            let chapter = Int(cluster.blocks.lowerBound) / size
            contents.large[chapter] += 1
            if Int(cluster.blocks.upperBound - 1) / size == chapter {
                chapters[chapter].overview.large.append(cluster.moved(by: Int64(-chapter * size)))
            } else {
                contents.wide.append(WideCluster(cluster, number, in: table, overview.boxes))
            }
        }
        let named = overview.large.map {
            NamedCluster(id: id($0.record(in: table)), block: $0.blocks.lowerBound)
        }
        for cluster in named.sorted(by: { $0.id < $1.id }) {
            chapters[(overview.page(of: cluster.id) ?? 0) / size].named.append(cluster)
        }
    }

    /// The overview in one piece.
    /// - Parameter size: how many blocks a chapter has.
    public func whole(chapterSize size: Int) throws(ClusterBlockError) -> BlockOverview {
        guard contents.counts == chapters.map(\.leafCount) else {
            throw .garbled("its chapters do not have the points that its contents say")
        }
        var whole = BlockOverview()
        for (number, chapter) in chapters.enumerated() {
            whole.boxes += chapter.overview.boxes
            whole.counts += chapter.overview.counts
            whole.pages += chapter.overview.pages
            whole.large += chapter.overview.large.map { $0.moved(by: Int64(number * size)) }
        }
        whole.large += contents.wide.map(\.cluster)
        whole.large.sort {
            ($0.blocks.lowerBound, $1.blocks.count) < ($1.blocks.lowerBound, $0.blocks.count)
        }
        // Rows that do not lie in one another are refused.
        _ = try RowColumns(whole.large.map(\.rowOfBlocks)).rows()
        guard zip(whole.pages, whole.pages.dropFirst()).allSatisfy({ $0.first < $1.first }) else {
            throw .garbled("its chapters do not fit together")
        }
        return whole
    }
}

/// The blocks, pages and large clusters of one chapter. Its large clusters lie in its blocks, and count them from its
/// first.
public struct OverviewChapter: Equatable, Sendable {
    public var overview = BlockOverview()
    /// Large clusters of any chapter whose ids are among those of the pages, by ascending id.
    public var named: [NamedCluster] = []

    /// -1 if its blocks claim more leaves than an archive can have.
    var leafCount: Int64 { LeafBlockTable(counts: overview.counts)?.leafCount ?? -1 }
}

/// The id of a large cluster, and its first block.
public struct NamedCluster: Equatable, Sendable {
    public var id: Int64
    public var block: Int64
}

extension OverviewChapter {
    public var packed: [UInt8] {
        var message = overview.message
        message.list(OverviewField.names, named.map(\.id).differences.map(UInt64.init))
        message.list(OverviewField.namedBlocks, signed: named.map(\.block).differences)
        return MessageWriter.tile(BlockField.overview, message)
    }

    /// Reads a chapter, and rejects values that could mislead a query.
    /// - Parameters:
    ///   - bytes: a payload, inflated.
    ///   - number: which chapter it is.
    ///   - said: the numbers of payloads that there should be.
    public init(
        unpacking bytes: [UInt8], number: Int64, of said: ClusterDescription.Blocks
    ) throws(ClusterBlockError) {
        let size = said.chapterSize ?? Int64(DividedOverview.chapterSize)
        let fields = try MessageFields(BlockField.overview, of: bytes)
        func own(_ all: Int64) -> Int { Int(min(max(all - number * size, 0), size)) }
        overview = try BlockOverview(
            fields, blocks: own(said.count), pages: own(said.pages), allBlocks: said.count)
        let most = Int(said.count)
        let ids = try fields.list(OverviewField.names, most: most).ascendingIDs
        let blocks = try fields.signedList(OverviewField.namedBlocks, most: most)
        guard let ids, ids.count == blocks.count else {
            throw .garbled("its names of large clusters are not valid")
        }
        var block: Int64 = 0
        for (id, step) in zip(ids, blocks) {
            block &+= step
            named.append(NamedCluster(id: id, block: block))
        }
    }
}
