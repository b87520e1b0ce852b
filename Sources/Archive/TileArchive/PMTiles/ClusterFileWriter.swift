import ArchiveContract
import JSON
import Platform

/// Writes `x.clusters.pmtiles`: the payloads of leaf blocks, and behind them the overview
/// (docs/pmtiles.md).
struct ClusterFileWriter: ~Copyable {
    private let path: String
    private var writer: PMTilesWriter
    private var payloads: PayloadSequence?
    private var hasBlocks = false
    private let replacesExisting: Bool

    init(beside path: String, replacesExisting: Bool) throws(ArchiveError) {
        self.path = ClusterFile.path(beside: path)
        self.replacesExisting = replacesExisting
        writer = try PMTilesWriter(path: self.path, replacesExisting: replacesExisting)
        payloads = PayloadSequence(path: self.path)
    }

    mutating func write(_ block: EncodedBlock) throws(ArchiveError) {
        hasBlocks = true
        let id = UInt64(payloads?.count ?? 0)
        if let payload = try payloads?.payload(of: block) { try write(payload, id) }
    }

    mutating func write(_ page: EncodedPage) throws(ArchiveError) {
        let id = UInt64(payloads?.count ?? 0)
        if let payload = try payloads?.payload(of: page) { try write(payload, id) }
    }

    private mutating func write(_ payload: [UInt8], _ id: UInt64) throws(ArchiveError) {
        try writer.write(payload.span, id: id, zoom: ClusterFile.zoom(ofBlock: id))
    }

    /// Completes the file.
    /// - Returns: what the archive says of it; nil if there are no blocks, and so there is no file.
    mutating func finish(
        _ metadata: ArchiveMetadata
    ) throws(ArchiveError) -> ClusterDescription.Blocks? {
        guard hasBlocks, var payloads = payloads.take() else { return nil }
        let id = UInt64(payloads.count)
        try write(payloads.overview(), id)
        let blocks = payloads.finish()
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
    mutating func publish() throws(ArchiveError) { if hasBlocks { try writer.publish() } }

    mutating func withdraw() { if hasBlocks { writer.withdraw() } }

    /// Removes the file of an archive that has been replaced by one without clusters.
    func removeLeftover() {
        guard !hasBlocks, replacesExisting, let file = try? ClusterFile(path: path),
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
