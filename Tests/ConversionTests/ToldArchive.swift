import ArchiveContract
import Geometry
import TileArchive

/// An archive that says what it has, and has no tile and no file.
struct ToldArchive: ArchiveContents {
    var metadata: ArchiveMetadata
    var hasClusters = true
    var byteCount: Int?
    let layout = ArchiveLayout(name: "told", words: "told")
    let warnings: [ArchiveWarning] = []

    /// - Parameter change: may say more of it.
    static func archive(
        _ path: String, _ layers: [ClusterDescription.Layer], zooms: ClosedRange<UInt8>? = 0...5,
        hasClusters: Bool = true,
        change: (inout ClusterDescription, inout ArchiveMetadata) -> Void = { _, _ in }
    ) -> Archive {
        var metadata = ArchiveMetadata(name: path)
        metadata.format = "pbf"
        (metadata.minZoom, metadata.maxZoom) = (zooms?.lowerBound, zooms?.upperBound)
        metadata.vectorLayers = layers.map { VectorLayer(id: $0.name, fields: []) }
        var description = ClusterDescription(layers: layers, buffer: 8, extent: 4_096, ids: .placed)
        change(&description, &metadata)
        if metadata.covey == nil { metadata.covey = description.json }
        return Archive(
            ToldArchive(metadata: metadata, hasClusters: hasClusters), named: "told", path: path)
    }

    static func layer(
        _ name: String, leaves: Range<Int64> = 0..<10, maxZoom: Int = 4,
        change: (inout ClusterDescription.Layer) -> Void = { _ in }
    ) -> ClusterDescription.Layer {
        var layer = ClusterDescription.Layer(
            name: name, leaves: leaves, minZoom: 0, maxZoom: maxZoom,
            clustering: .init(radius: RadiusByZoom(40), algorithm: "spaced"))
        change(&layer)
        return layer
    }

    func tileFinder(cacheBytes: Int) throws(ArchiveError) -> any TileFinder { throw nothing }
    func tileWalk(zooms: ClosedRange<Int>) throws(ArchiveError) -> any TileWalk { throw nothing }
    func clusters() throws(ArchiveError) -> any ClusterSource { throw nothing }
    func clusterPayloads() throws(ArchiveError) -> (any ClusterPayloadSource)? { nil }
    func audit() -> ContainerAudit { ContainerAudit() }
    private var nothing: ArchiveError { .noClusters(path: "") }
}
