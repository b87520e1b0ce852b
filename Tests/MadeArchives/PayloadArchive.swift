import ArchiveContract
import Compression
import Geometry
import JSON
import TileArchive

/// Archives whose clusters are as a test wants them.
public struct PayloadArchive {
    public var description: ClusterDescription
    public var tiles: [(TileID, [UInt8])] = []
    /// The points of each block, a gzip tile, and its index.
    public var blocks: [(points: [UInt8], index: ClusterBlock)] = []
    public var large: [LargeCluster] = []
    /// How many blocks and pages a chapter of the overview has.
    public var chapterSize = DividedOverview.chapterSize

    public init(_ description: ClusterDescription) { self.description = description }

    /// Writes it, in the container that the name says.
    public func write(to path: String) throws {
        let container = ArchiveContainers.container(named: path) ?? MBTiles.self
        let sink = try container.sink(to: path, options: SinkOptions())
        for (tile, bytes) in tiles { try sink.write([tile], gzip: bytes.span, ends: [bytes.count]) }
        var gzip = GzipCompressor(level: 1)
        var writer = ClusterWriter(sink, chapterSize: chapterSize)
        var ids: [(id: Int64, block: Int64)] = []
        for (number, (points, index)) in blocks.enumerated() {
            try writer.write(EncodedBlock(index, points: points, with: &gzip))
            ids += index.rows.map { (description.id(of: $0), Int64(number)) }
        }
        ids.sort { $0.id < $1.id }
        var pager = IDPager()
        var pages: [[(id: Int64, target: Int64)]] = []
        for (id, block) in ids { pages += pager.add(id, target: block) }
        for page in pages + pager.finish() { try writer.write(EncodedPage(page, with: &gzip)) }
        var metadata = ArchiveMetadata(name: "a")
        var account = description
        account.blocks = try writer.finish(large) { description.id(of: $0) }
        metadata.covey = account.json
        try sink.finish(metadata)
    }
}
