import ArchiveContract
import Basics
import Geometry
import JSON
import Platform

/// The file of an archive's clusters, `x.clusters.pmtiles` (docs/pmtiles.md).
struct ClusterFile: ClusterPayloadSource {
    let file: PMTilesFile
    /// The payloads as the file describes them.
    let blocks: ClusterDescription.Blocks?

    /// The path of the file that goes with an archive: beside the archive itself, if its name is a link. In an address,
    /// only the path changes.
    static func path(beside archive: String) -> String {
        let isAddress = archive.contains("://")
        let path = isAddress ? archive : (try? File.target(of: archive)) ?? archive
        let end = path.firstIndex { isAddress && "?#".contains($0) } ?? path.endIndex
        let stem = path[..<end]
        let name = stem.lowercased().hasSuffix(".pmtiles") ? stem.dropLast(8) : stem
        return name + ".clusters.pmtiles" + path[end...]
    }

    /// The metadata of the file of an archive's clusters.
    static func metadata(of archive: ArchiveMetadata) -> [UInt8] {
        var object = JSONObject()
        object["name"] = .string(archive.name)
        object["generator"] = archive.generator.map(JSONValue.string)
        object[ClusterDescription.rowName] = archive.covey
        return Array(JSONValue.object(object).text().utf8)
    }

    /// The zoom at which a payload is a tile, which only matters for headers.
    static func zoom(ofPayload id: UInt64) -> UInt8 { TileID.zoom(ofHilbertID: id) ?? 0 }

    init(path: String) throws(ArchiveError) {
        file = try PMTilesFile(RangeSources.open(path))
        let covey = try file.metadata().asObject?[ClusterDescription.rowName]
        let described = covey.flatMap { try? ClusterDescription($0) }
        blocks = described?.blocks
    }

    /// Opens the file that goes with an archive, and throws if it comes from another build.
    init(
        path: String, of described: ClusterDescription
    ) throws(ArchiveError) {
        try self.init(path: path)
        guard blocks == described.blocks else {
            throw .otherClusters(path: path)
        }
        // Each payload has its own head; a file that claims more of them would make an endless search.
        let most = Int64(file.source.byteCount / ClusterPayload.headBytes)
        guard let blocks, blocks.overview <= most else {
            throw .damagedClusters(
                path: path,
                reason: "\(blocks?.overview ?? 0) payloads do not fit into "
                    + "\(file.source.byteCount) bytes")
        }
    }

    var path: String { file.source.path }
    /// No two payloads are the same, so together they are no larger than the file.
    var mostBytes: Int { file.source.byteCount }
    /// The numbers of all payloads.
    private var numbers: ClosedRange<Int64> { 0...max(blocks?.overview ?? 0, 0) }

    func bytes(ofPayload number: Int64) throws(ArchiveError) -> [UInt8]? {
        guard number >= 0, let entry = try file.entry(for: UInt64(number)) else { return nil }
        return try file.contents(entry)
    }

    /// Checks what the rules of PMTiles do not cover: that the payloads are those that the archive means, and
    /// that header and metadata are those of such a file.
    func check(
        beside archive: ArchiveMetadata, _ problems: inout [PMTilesProblem]
    ) throws(ArchiveError) {
        try checkClaims(beside: archive, &problems)
        for number in numbers where try file.entry(for: UInt64(number)) == nil {
            return problems.append(.blockMissing(number))
        }
        guard let blocks else { return }
        if try !match(blocks) { problems.append(.blockHash) }
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
            ("description of the clusters", own?[ClusterDescription.rowName] == archive.covey),
        ]
        problems += claims.filter { !$0.1 }.map { .otherClaim($0.0) }
    }
}

extension PMTilesHeader {
    /// States that the file holds no tiles.
    mutating func describeClusters() {
        tileType = .unknown
        tileCompression = .none
        centerZoom = minZoom
    }
}
