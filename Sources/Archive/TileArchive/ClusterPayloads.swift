import ArchiveContract
import Compression

/// The payloads of an archive, with its description of them.
package struct ClusterPayloads: ~Copyable {
    let source: any ClusterPayloadSource
    let description: ClusterDescription
    package let overview: BlockOverview
    package let table: LeafBlockTable
    /// The large clusters as rows, in the order of their keys.
    package let large: [ClusterRecord]
    /// For each block, the innermost large cluster that holds it, as an index of `large`.
    private let around: [Int?]
    private var inflater = GzipInflater()

    init(
        _ source: any ClusterPayloadSource, _ description: ClusterDescription
    ) throws(ArchiveError) {
        let overview = try Self.overview(source, description)
        let equal = LeafBlockTable(
            blocksOf: description.equalBlocks, leafCount: description.leafCount)
        guard
            let table = description.format > 3 ? LeafBlockTable(counts: overview.counts) : equal,
            table.leafCount == description.leafCount
        else {
            throw .damagedClusters(
                path: source.path, reason: "the overview and the layers have different point counts"
            )
        }
        self.source = source
        self.description = description
        self.overview = overview
        self.table = table
        large = overview.records(in: table)
        around = Self.innermost(overview.large, blocks: overview.counts.count)
    }

    private static func overview(
        _ source: any ClusterPayloadSource, _ description: ClusterDescription
    ) throws(ArchiveError) -> BlockOverview {
        let said = description.blocks ?? ClusterDescription.Blocks(count: 0, hash: "")
        let bytes = try source.bytes(ofPayload: said.overview)
        // Format 1 had no overview.
        if bytes == nil, said.pages == 0, description.format < 4 { return BlockOverview() }
        let overview = try source.naming("the overview of blocks") {
            guard said.overview <= source.mostPayloads else {
                throw ClusterBlockError.garbled("it claims \(said.overview) payloads, too many")
            }
            if let size = said.chapterSize {
                return try divided(source, said, contents: bytes).whole(chapterSize: Int(size))
            }
            var inflater = GzipInflater()
            return try BlockOverview(unpacking: index(bytes, with: &inflater), of: said)
        }
        guard description.format < 4 || overview.counts.count == said.count else {
            throw .damagedClusters(
                path: source.path,
                reason: "the overview of blocks does not say how many leaves each block has")
        }
        return overview
    }

    /// The chapters of the overview, and the contents before them.
    private static func divided(
        _ source: any ClusterPayloadSource, _ said: ClusterDescription.Blocks,
        contents bytes: [UInt8]?
    ) throws -> DividedOverview {
        var inflater = GzipInflater()
        let contents = try OverviewContents(
            unpacking: index(bytes, with: &inflater), of: said)
        var chapters: [OverviewChapter] = []
        for number in 0..<said.chapters {
            let bytes = try source.bytes(ofPayload: said.overview - said.chapters + number)
            chapters.append(
                try source.naming("chapter \(number) of the overview") {
                    try OverviewChapter(
                        unpacking: index(bytes, with: &inflater), number: number, of: said)
                })
        }
        return DividedOverview(contents: contents, chapters: chapters)
    }

    /// The overview in chapters; nil if it has none.
    package func dividedOverview() throws(ArchiveError) -> DividedOverview? {
        guard let said = description.blocks, said.chapterSize != nil else { return nil }
        return try source.naming("the overview of blocks") {
            try Self.divided(source, said, contents: source.bytes(ofPayload: said.overview))
        }
    }

    /// The message in the first member of a payload; throws if there is none.
    private static func index(
        _ bytes: [UInt8]?, with inflater: inout GzipInflater,
        limit: Int = ClusterBlock.largestIndex
    ) throws -> [UInt8] {
        guard let bytes else { throw ClusterBlockError.garbled("the payload is missing") }
        guard let payload = ClusterPayload(bytes) else {
            throw ClusterBlockError.garbled("the header of the payload is not valid")
        }
        return try payload.index(with: &inflater, limit: limit)
    }

    private static func innermost(_ large: [LargeCluster], blocks count: Int) -> [Int?] {
        var around: [Int?] = Array(repeating: nil, count: count)
        // Clusters within a cluster come later.
        for (index, cluster) in large.enumerated() {
            for block in cluster.blocks { around[Int(block)] = index }
        }
        return around
    }

    /// How many blocks there are.
    var count: Int64 { description.blocks?.count ?? 0 }

    /// The blocks of a layer.
    package func blocks(of layer: ClusterDescription.Layer) -> Range<Int64> {
        let first = table.block(ofLeaf: layer.leaves.lowerBound)
        return first..<max(first, table.block(ofLeaf: layer.leaves.upperBound))
    }

    /// A block; throws if it is missing.
    package mutating func block(
        _ number: Int64
    ) throws(ArchiveError) -> (bytes: [UInt8], points: ArraySlice<UInt8>, index: ClusterBlock) {
        guard let payload = try payload(ofBlock: number) else {
            throw .damagedClusters(path: source.path, reason: "block \(number) is missing")
        }
        return (payload.bytes, payload.points, try index(of: payload, number))
    }

    /// A block's payload; nil if there is none.
    func payload(ofBlock number: Int64) throws(ArchiveError) -> ClusterPayload? {
        guard (0..<count).contains(number), let bytes = try source.bytes(ofPayload: number) else {
            return nil
        }
        guard let payload = ClusterPayload(bytes) else {
            throw .damagedClusters(
                path: source.path, reason: "the header of block \(number) is not valid")
        }
        return payload
    }

    /// The index of a block in its payload.
    mutating func index(
        of payload: ClusterPayload, _ number: Int64
    ) throws(ArchiveError) -> ClusterBlock {
        try source.naming("block \(number)") {
            try ClusterBlock(
                unpacking: payload.index(with: &inflater), number: number,
                leaves: table.leaves(ofBlock: number), around: around(block: number)?.key)
        }
    }

    /// The innermost large cluster that holds a block.
    private func around(block number: Int64) -> ClusterRecord? {
        guard number < around.count, let index = around[Int(number)] else { return nil }
        return large[index]
    }

    /// A page of ids.
    package mutating func page(_ number: Int) throws(ArchiveError) -> IDPage {
        let told = overview.pages[number]
        let bytes = try source.bytes(ofPayload: count + Int64(number))
        return try source.naming("the ids from \(told.first) on") {
            let page = try IDPage(
                unpacking: Self.index(bytes, with: &inflater, limit: IDPage.largest),
                listing: told.blocks.count)
            guard page.first == told.first else {
                throw ClusterBlockError.garbled("it is not the expected page")
            }
            return page
        }
    }

    /// The hull of a large cluster; nil if there is none with that key.
    package mutating func outline(of key: ClusterKey) throws(ArchiveError) -> [GridPoint]? {
        let index = large.indices.partitionPoint { large[$0].key >= key }
        guard index < large.count, large[index].key == key else { return nil }
        let number = count + Int64(overview.pages.count) + Int64(index / Outlines.size)
        let bytes = try source.bytes(ofPayload: number)
        return try source.naming("outlines, payload \(number)") {
            let outlines = try Outlines(unpacking: Self.index(bytes, with: &inflater))
            guard outlines.hulls.indices.contains(index % Outlines.size) else {
                throw ClusterBlockError.garbled("it has too few hulls")
            }
            return outlines.hulls[index % Outlines.size]
        }
    }
}

extension ClusterPayloadSource {
    /// Adds the name of a payload to the faults of `body`.
    fileprivate func naming<Value>(
        _ payload: String, _ body: () throws -> Value
    ) throws(ArchiveError) -> Value {
        do {
            return try body()
        } catch {
            throw .damagedClusters(path: path, reason: "\(payload): \(error)")
        }
    }
}

/// Clusters in payloads.
struct PayloadClusters: ClusterSource {
    let source: any ClusterPayloadSource
    let description: ClusterDescription

    private func payloads() throws(ArchiveError) -> ClusterPayloads {
        try ClusterPayloads(source, description)
    }

    func finder() throws(ArchiveError) -> any ClusterFinder {
        BlockClusterFinder(try payloads())
    }
    func rows() throws(ArchiveError) -> any ClusterWalk { BlockClusterWalk(try payloads()) }
    func leafBlocks() throws(ArchiveError) -> any LeafBlockWalk {
        BlockLeafWalk(try payloads())
    }
    func ids() throws(ArchiveError) -> any IDWalk { BlockIDWalk(try payloads()) }
}
