import ArchiveContract
import Compression

/// A leaf block as archives store it.
public struct EncodedBlock: Sendable {
    /// The index before the points.
    public let index: ClusterBlock
    /// The payload.
    public let bytes: [UInt8]
    /// Its MD5.
    package let sum: String

    /// Packs a block. Its points are a gzip tile.
    public init(_ index: ClusterBlock, points: [UInt8], with compressor: inout GzipCompressor) {
        self.index = index
        let bytes = ClusterPayload.member(holding: index.packed, with: &compressor) + points
        self.bytes = bytes
        sum = PayloadHash.sum(of: bytes.span)
    }
}

/// Writes the payloads of an archive's clusters in their order, and collects the overview:
///
///     var writer = ClusterWriter(sink)
///     for block in blocks { try writer.write(block) }
///     try writer.writePages(of: ids) …
///     let blocks = try writer.finish(large) { id of a cluster }
public struct ClusterWriter: ~Copyable {
    private let sink: any PayloadSink
    private var overview = BlockOverview()
    private var hulls: [[GridPoint]] = []
    private var hash = PayloadHash()
    private var compressor = GzipCompressor()
    private let chapterSize: Int

    /// - Parameters:
    ///   - sink: takes the payloads.
    ///   - chapterSize: how many blocks and pages a chapter of the overview has, if it is divided.
    public init(_ sink: any PayloadSink, chapterSize: Int = DividedOverview.chapterSize) {
        self.sink = sink
        self.chapterSize = chapterSize
    }

    /// The number of blocks written so far.
    public var blockCount: Int { hulls.count }

    private mutating func write(
        _ payload: [UInt8], sum: String
    ) throws(ArchiveError) {
        hash.include(sum: sum)
        try sink.write(payload: payload.span, sum: sum)
    }

    /// Adds the next block.
    public mutating func write(_ block: EncodedBlock) throws(ArchiveError) {
        include(
            blockOf: Int64(block.index.leaves.count), hull: block.index.hull, sum: block.sum)
        try sink.write(payload: block.bytes.span, sum: block.sum)
    }

    /// Adds the next block, which is packed already.
    public mutating func write(
        block payload: [UInt8], leaves: Int64, hull: [GridPoint]
    ) throws(ArchiveError) {
        let sum = PayloadHash.sum(of: payload.span)
        include(blockOf: leaves, hull: hull, sum: sum)
        try sink.write(payload: payload.span, sum: sum)
    }

    /// Includes the next block in the overview, if its payload is in place already.
    package mutating func include(blockOf leaves: Int64, hull: [GridPoint], sum: String) {
        overview.counts.append(leaves)
        overview.boxes.append(GridBox(around: hull) ?? .nowhere)
        hulls.append(hull)
        hash.include(sum: sum)
    }

    /// The division of leaves into the blocks written so far.
    public var table: LeafBlockTable? { LeafBlockTable(counts: overview.counts) }

    /// Adds the next page of ids.
    public mutating func write(_ page: EncodedPage) throws(ArchiveError) {
        overview.pages.append(page.told)
        try write(page.bytes, sum: page.sum)
    }

    /// Writes the outlines and the overview.
    /// - Parameters:
    ///   - large: by first block; of those that begin with the same block, the outermost first.
    ///   - id: returns the id of a large cluster.
    /// - Returns: the archive's description of its payloads.
    public consuming func finish(
        _ large: [LargeCluster], id: (ClusterRecord) -> Int64
    ) throws(ArchiveError) -> ClusterDescription.Blocks {
        overview.large = large
        let outlines = large.map { cluster in
            GridHull(
                ofBlocks: cluster.blocks.lazy.map { [hulls] in hulls[Int($0)] },
                around: cluster.position
            ).corners
        }
        for start in stride(from: 0, to: outlines.count, by: Outlines.size) {
            let some = outlines[start..<min(start + Outlines.size, outlines.count)]
            try write(index: Outlines(Array(some)).packed)
        }
        let isDivided =
            max(overview.counts.count, overview.pages.count)
            > DividedOverview.fewChapters * chapterSize
        if isDivided { try writeChapters(id: id) } else { try write(index: overview.packed) }
        let blocks = ClusterDescription.Blocks(
            count: Int64(overview.counts.count), pages: Int64(overview.pages.count),
            outlines: Int64((outlines.count + Outlines.size - 1) / Outlines.size),
            chapterSize: isDivided ? Int64(chapterSize) : nil, hash: hash.finish())
        guard blocks.overview <= ClusterDescription.Blocks.most else {
            throw .tooManyPayloads(Int(blocks.overview))
        }
        return blocks
    }

    private mutating func writeChapters(id: (ClusterRecord) -> Int64) throws(ArchiveError) {
        let divided = table.map {
            DividedOverview(overview, in: $0, chapterSize: chapterSize, id: id)
        }
        guard let divided else { throw .tooManyPayloads(overview.counts.count) }
        for chapter in divided.chapters { try write(index: chapter.packed) }
        try write(index: divided.contents.packed)
    }

    /// Writes a payload of one member.
    private mutating func write(index: [UInt8]) throws(ArchiveError) {
        guard index.count <= ClusterBlock.largestIndex else {
            throw .tooManyPayloads(overview.counts.count + overview.pages.count)
        }
        let payload = ClusterPayload.member(holding: index, with: &compressor)
        try write(payload, sum: PayloadHash.sum(of: payload.span))
    }
}

/// A page of ids as archives store it.
public struct EncodedPage: Sendable {
    /// The overview's entry for it.
    public let told: BlockOverview.Page
    public let bytes: [UInt8]
    /// Their MD5.
    package let sum: String

    /// Takes a page that is packed already.
    package init(_ bytes: [UInt8], told: BlockOverview.Page, sum: String) {
        (self.bytes, self.told, self.sum) = (bytes, told, sum)
    }

    /// Packs ids; there must be at least one.
    /// - Parameters:
    ///   - ids: the ids, with the target of each.
    ///   - compressor: packs them.
    ///   - block: returns the block of a target.
    public init(
        _ ids: [(id: Int64, target: Int64)], with compressor: inout GzipCompressor,
        block: (Int64) -> Int64 = { $0 }
    ) {
        var places: [Int64: Int] = [:]
        var told = BlockOverview.Page(first: ids[0].id, blocks: [])
        let blocks = ids.map { _, target in
            let block = block(target)
            if let place = places[block] { return place }
            places[block] = told.blocks.count
            told.blocks.append(block)
            return told.blocks.count - 1
        }
        let page = IDPage(ids: ids.map(\.id), blocks: blocks)
        let bytes = ClusterPayload.member(holding: page.packed, with: &compressor)
        self.init(bytes, told: told, sum: PayloadHash.sum(of: bytes.span))
    }
}

/// Cuts ids, which come in ascending order, into pages: squares of the map.
public struct IDPager {
    private var squares = SquareCutter(most: Int64(IDPage.size))
    private var waiting: [(id: Int64, target: Int64)] = []

    public init() {}

    /// Adds the next id.
    /// - Parameters:
    ///   - id: greater than the one before.
    ///   - target: the target of the id.
    /// - Returns: the pages that are known to end.
    public mutating func add(_ id: Int64, target: Int64) -> [[(id: Int64, target: Int64)]] {
        add(id, target: target, weighing: 1)
    }

    /// Skips a square with too many ids for a page, which has pages of its own.
    /// - Parameter id: one of its ids.
    /// - Returns: the pages that are known to end.
    public mutating func pass(squareOf id: Int64) -> [[(id: Int64, target: Int64)]] {
        add(id, target: Self.passed, weighing: Int64(IDPage.size) + 1)
    }

    /// The target of an id that stands for a skipped square.
    private static let passed: Int64 = -1

    private mutating func add(
        _ id: Int64, target: Int64, weighing weight: Int64
    ) -> [[(id: Int64, target: Int64)]] {
        let place = PlaceID(id)?.place ?? 0
        let last = waiting.last.flatMap { PlaceID($0.id)?.layer }
        var pages = last == PlaceID(id)?.layer ? [] : finish()
        waiting.append((id, target))
        pages += squares.add(place, weighing: weight).compactMap { take($0) }
        return pages
    }

    /// Ends the last page, if there is one.
    public mutating func finish() -> [[(id: Int64, target: Int64)]] {
        squares.finish().compactMap { take($0) }
    }

    /// Takes the next ids as a page; nil for a skipped square, which shares no page with others.
    private mutating func take(_ count: Int) -> [(id: Int64, target: Int64)]? {
        defer { waiting.removeFirst(count) }
        return waiting[0].target == Self.passed ? nil : Array(waiting.prefix(count))
    }
}
