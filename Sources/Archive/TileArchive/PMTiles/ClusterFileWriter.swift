import Platform

/// Writes `x.clusters.pmtiles`: the payloads of leaf blocks, followed by the overview (docs/pmtiles.md).
struct ClusterFileWriter: ~Copyable {
    private let path: String
    private var writer: PMTilesWriter
    /// The number of payloads written so far, or of stretches of them.
    private var count: UInt64 = 0
    private let replacesExisting: Bool

    init(beside path: String, replacesExisting: Bool) throws(ArchiveError) {
        self.path = ClusterFile.path(beside: path)
        self.replacesExisting = replacesExisting
        writer = try PMTilesWriter(
            path: self.path, replacesExisting: replacesExisting, sharesContents: false)
    }

    mutating func write(_ payload: Span<UInt8>) throws(ArchiveError) {
        try writer.write(payload, id: count, zoom: ClusterFile.zoom(ofPayload: count))
        count += 1
    }

    /// Writes bytes of the file in their place.
    mutating func lay(_ bytes: Span<UInt8>, at offset: Int) throws(ArchiveError) {
        try writer.lay(bytes, at: offset)
        count += 1
    }

    /// Makes the bytes written in place durable.
    func synchronize() throws(ArchiveError) { if count > 0 { try writer.output.synchronize() } }

    /// Completes the file, if there are payloads.
    mutating func finish(_ metadata: ArchiveMetadata) throws(ArchiveError) {
        guard count > 0 else { return }
        try writer.finish(metadata: ClusterFile.metadata(of: metadata)) {
            $0.describeClusters()
        }
    }

    /// Gives the file its name, if there are payloads.
    mutating func publish() throws(ArchiveError) { if count > 0 { try writer.output.appear() } }

    mutating func withdraw() { if count > 0 { writer.output.withdraw() } }

    /// Removes the file of clusters of a replaced archive, if the new archive has no clusters.
    func removeLeftover() {
        guard count == 0, replacesExisting, let file = try? ClusterFile(path: path),
            file.blocks != nil
        else { return }
        try? File.remove(path)
    }
}
