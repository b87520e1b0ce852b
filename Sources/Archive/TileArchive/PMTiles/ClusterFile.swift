import ArchiveContract
import Basics
import Compression
import Geometry
import JSON

/// The file of an archive's cluster blocks, `x.clusters.pmtiles` (docs/pmtiles.md).
struct ClusterFile: ClusterBlockSource {
    let file: PMTilesFile
    /// What it says of itself.
    let blocks: ClusterDescription.Blocks?
    let layout: LeafBlockLayout

    /// Where the file lies that goes with an archive; of an address the path counts.
    static func path(beside path: String) -> String {
        let end = path.firstIndex { "?#".contains($0) && path.contains("://") } ?? path.endIndex
        let stem = path[..<end]
        let name = stem.lowercased().hasSuffix(".pmtiles") ? stem.dropLast(8) : stem
        return name + ".clusters.pmtiles" + path[end...]
    }

    /// The zoom at which a block is a tile, which means nothing but what headers say.
    static func zoom(ofBlock id: UInt64) -> UInt8 { TileID.zoom(ofHilbertID: id) ?? 0 }

    init(path: String) throws(ArchiveError) {
        file = try PMTilesFile(RangeSources.open(path))
        let covey = try file.metadata().asObject?[ClusterDescription.rowName]
        let described = covey.flatMap { try? ClusterDescription($0) }
        blocks = described?.blocks
        layout = described?.blockLayout ?? .usual
    }

    /// Opens the file that goes with an archive, and refuses one of another build.
    init(
        path: String, of described: ClusterDescription
    ) throws(ArchiveError) {
        try self.init(path: path)
        guard blocks == described.blocks, layout == described.blockLayout else {
            throw .otherClusters(path: path)
        }
        // Each block has its own head; what claims more of them would be looked through without end.
        guard count + pageCount <= file.source.byteCount / ClusterPayload.headBytes else {
            throw .damagedClusters(
                path: path,
                reason: "\(count + pageCount) blocks do not fit into \(file.source.byteCount) bytes"
            )
        }
    }

    var path: String { file.source.path }
    /// How many blocks there are.
    var count: Int64 { blocks?.count ?? 0 }
    var pageCount: Int64 { blocks?.pages ?? 0 }
    /// The numbers of all payloads.
    private var numbers: ClosedRange<Int64> { 0...max(count + pageCount, 0) }

    /// The payload with that number; nil if there is none.
    func payload(_ number: Int64) throws(ArchiveError) -> ClusterPayload? {
        guard number >= 0, let entry = try file.entry(for: UInt64(number)) else { return nil }
        guard let payload = ClusterPayload(try file.contents(entry)) else {
            throw .damagedClusters(
                path: file.source.path, reason: "block \(number) does not begin as one")
        }
        return payload
    }

    /// Looks at what the rules of PMTiles say nothing about: that the payloads are the ones that
    /// the archive means, and that header and metadata are those of such a file.
    func check(
        beside archive: ArchiveMetadata, _ problems: inout [PMTilesProblem]
    ) throws(ArchiveError) {
        try checkClaims(beside: archive, &problems)
        for number in numbers where try file.entry(for: UInt64(number)) == nil {
            return problems.append(.blockMissing(number))
        }
        if try hash(numbers) != blocks?.hash { problems.append(.blockHash) }
    }

    private func checkClaims(
        beside archive: ArchiveMetadata, _ problems: inout [PMTilesProblem]
    ) throws(ArchiveError) {
        let (header, usual) = (file.header, PMTilesHeader())
        let own = try file.metadata().asObject
        let claims: [(String, Bool)] = [
            ("tile type", header.tileType == .unknown),
            ("tile compression", header.tileCompression == .none),
            ("bounds", header.bounds == usual.bounds),
            ("center", header.center == usual.center && header.centerZoom == header.minZoom),
            ("name", own?["name"]?.asString == archive.name),
            ("generator", own?["generator"]?.asString == archive.generator),
            ("account of the clusters", own?[ClusterDescription.rowName] == archive.covey),
        ]
        problems += claims.filter { !$0.1 }.map { .otherClaim($0.0) }
    }

    /// The hash of all payloads; nil where they are more than the file has bytes, since no two blocks
    /// are the same.
    private func hash(_ numbers: ClosedRange<Int64>) throws(ArchiveError) -> String? {
        var hash = MD5()
        var bytesLeft = file.source.byteCount
        for number in numbers {
            let contents = try file.entry(for: UInt64(number)).map(file.contents) ?? []
            bytesLeft -= contents.count
            guard bytesLeft >= 0 else { return nil }
            hash.update(contents.span)
        }
        return hash.finish()
    }
}
