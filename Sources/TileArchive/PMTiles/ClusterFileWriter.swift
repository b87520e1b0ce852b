import ArchiveContract
import Compression
import JSON
import Platform

/// Writes `x.clusters.pmtiles`: the payloads of leaf blocks, and behind them the overview
/// (docs/pmtiles.md).
struct ClusterFileWriter: ~Copyable {
    private let path: String
    private var writer: PMTilesWriter
    private var boxes: [GridBox] = []
    private var hash: MD5? = MD5()
    private var next: Int64 = 0
    private let replacesExisting: Bool

    init(beside path: String, replacesExisting: Bool) throws(ArchiveError) {
        self.path = ClusterFile.path(beside: path)
        self.replacesExisting = replacesExisting
        writer = try PMTilesWriter(path: self.path, replacesExisting: replacesExisting)
    }

    mutating func write(_ block: EncodedBlock) throws(ArchiveError) {
        precondition(!block.index.isEmpty, "a block without its index")
        guard block.number == next else {
            throw .outOfOrder(path: path, table: "leaf blocks", row: block.number)
        }
        boxes.append(
            GridBox(around: block.hull) ?? GridBox(west: 0, north: 0, east: 0, south: 0))
        try write(block.index + block.leaves)
    }

    private mutating func write(_ payload: [UInt8]) throws(ArchiveError) {
        let id = UInt64(next)
        next += 1
        hash?.update(payload.span)
        try writer.write(payload.span, id: id, zoom: ClusterFile.zoom(ofBlock: id))
    }

    /// Completes the file.
    /// - Returns: what the archive says of it; nil if there are no blocks, and so there is no file.
    mutating func finish(
        _ metadata: ArchiveMetadata
    ) throws(ArchiveError) -> ClusterDescription.Blocks? {
        guard next > 0 else { return nil }
        var compressor = GzipCompressor()
        let count = next
        try write(
            ClusterPayload.member(holding: ClusterBoxes(boxes).packed, with: &compressor))
        guard let hash = hash.take() else { preconditionFailure("finished twice") }
        let blocks = ClusterDescription.Blocks(count: count, hash: hash.finish())
        var object = JSONObject()
        object["name"] = .string(metadata.name)
        object["generator"] = metadata.generator.map(JSONValue.string)
        object[ClusterDescription.rowName] = metadata.covey?.adding(blocks)
        try writer.finish(metadata: Array(JSONValue.object(object).text().utf8)) { header in
            header.tileType = .unknown
            header.tileCompression = .none
            header.centerZoom = header.minZoom
        }
        return blocks
    }

    /// Gives the file its name, if there are blocks.
    mutating func publish() throws(ArchiveError) { if next > 0 { try writer.publish() } }

    mutating func withdraw() { if next > 0 { writer.withdraw() } }

    /// Removes the file of an archive that has been replaced by one without clusters.
    func removeLeftover() {
        guard next == 0, replacesExisting, let file = try? ClusterFile(path: path),
            file.blocks != nil
        else { return }
        try? File.remove(path)
    }
}

extension JSONValue {
    /// What an archive says of its clusters, and of the file that they are in.
    func adding(_ blocks: ClusterDescription.Blocks) -> JSONValue {
        guard var object = asObject else { return self }
        object[ClusterDescription.Blocks.name] = blocks.json
        return .object(object)
    }
}
