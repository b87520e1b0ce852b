import JSON

extension ArchiveMetadata {
    /// The most bytes of metadata that are read: of all rows together, and of the JSON object of PMTiles. It is the same
    /// for all containers, so that what is in one fits into the others. JSON takes some seventy times its length
    /// when it is read.
    package static let mostBytes = 4 << 20
    /// Room for what is added last: a hash over the tiles, and the name of the kept points.
    private static let added = 1 << 10

    /// The bytes that the longer of its two forms takes.
    private var byteCount: Int {
        max(
            rows.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count },
            pmtilesJSON.text().utf8.count)
    }

    /// Leaves out the statistics if they are too long with them: `vectorLayers` tell what maps need.
    /// - Returns: whether they were left out.
    package mutating func dropLongStatistics() -> Bool {
        guard tileStats != nil, byteCount > Self.mostBytes - Self.added else { return false }
        tileStats = nil
        return true
    }

    /// Throws if they are longer than what is read.
    package func checkLength() throws(ArchiveError) {
        let bytes = byteCount
        guard bytes > Self.mostBytes else { return }
        let fields = vectorLayers.flatMap(\.fields)
        throw .tooMuchMetadata(
            bytes: bytes, names: fields.count,
            nameBytes: fields.reduce(0) { $0 + $1.name.utf8.count + Self.aroundName })
    }

    /// Throws if a list of these attributes alone is longer than what is read.
    package static func checkLength(ofNames names: some Collection<String>) throws(ArchiveError) {
        let bytes = names.reduce(0) { $0 + $1.utf8.count + Self.aroundName }
        guard bytes > mostBytes else { return }
        throw .tooMuchMetadata(bytes: bytes, names: names.count, nameBytes: bytes)
    }

    /// The bytes of `"":"Number",`, with which a layer lists an attribute.
    private static let aroundName = 12
}
