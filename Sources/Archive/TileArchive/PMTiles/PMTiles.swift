import ArchiveContract
import Geometry
import Platform

/// A PMTiles 3 archive, a file or on the web, with the file of its clusters beside it
/// (docs/pmtiles.md).
public struct PMTiles: ArchiveContainer {
    public static let name = "PMTiles"
    public static let endings = ["pmtiles"]

    public static func mayStart(with bytes: [UInt8]) -> Bool {
        bytes.starts(with: PMTilesHeader.magic)
    }

    public static let readsAddresses = true

    public static func outputs(at path: String) -> [String] {
        [path, ClusterFile.path(beside: path)]
    }

    public static func sink(
        to path: String, options: SinkOptions
    ) throws(ArchiveError) -> any ArchiveSink {
        try PMTilesSink(to: path, options: options)
    }

    private let file: PMTilesFile
    private let clusters: ClusterFile?
    public let clustersFault: ArchiveError?
    public let metadata: ArchiveMetadata
    public let warnings: [ArchiveWarning]

    public var layout: ArchiveLayout { file.header.isClustered ? .clustered : .unclustered }
    public var hasClusters: Bool { clusters != nil }
    public var wantsGzip: Bool? {
        switch file.header.tileCompression {
        case .gzip: true
        case .none: false
        case .unknown, .brotli, .zstd: nil
        }
    }
    public var byteCount: Int? {
        file.source.byteCount + (clusters?.file.source.byteCount ?? 0)
    }
    public var isStale: Bool {
        file.source.isStale || clusters?.file.source.isStale ?? false
    }
    public let holdsFiles = true
    private var sources: [any RangeSource] {
        [file.source] + (clusters.map { [$0.file.source] } ?? [])
    }
    public var files: [String] { sources.map(\.path) }
    public func openFile(_ index: Int) throws(FileError) -> File? {
        try sources[index].openFile()
    }

    public init(path: String) throws(ArchiveError) {
        file = try PMTilesFile(RangeSources.open(path))
        let packing = file.header.tileCompression
        guard packing != .brotli, packing != .zstd else {
            throw .unreadable(
                path: path,
                reason: "its tiles are compressed with \(packing), and only gzip is read here; "
                    + "write it again with gzip")
        }
        let (metadata, warnings) = ArchiveMetadata.pmtiles(try file.metadata(), file.header)
        self.metadata = metadata
        self.warnings = warnings
        guard case .success(let described)? = metadata.clusterDescription,
            described.blocks != nil
        else {
            clusters = nil
            clustersFault = nil
            return
        }
        do {
            clusters = try ClusterFile(path: ClusterFile.path(beside: path), of: described)
            clustersFault = nil
        } catch {
            clusters = nil
            clustersFault = error
        }
    }

    // MARK: Reading

    public func tileFinder(cacheBytes: Int) -> any TileFinder { PMTilesTileFinder(file) }

    public func tileWalk(zooms: ClosedRange<Int>) throws(ArchiveError) -> any TileWalk {
        PMTilesTileWalk(file, zooms: zooms, WorkBudget(fileBytes: byteCount))
    }

    public func curveWalk(zooms: ClosedRange<Int>) -> (any TileWalk)? {
        PMTilesCurveWalk(file, zooms: zooms, WorkBudget(fileBytes: byteCount))
    }

    public func contentWalk(zooms: ClosedRange<Int>) -> any GroupWalk {
        PMTilesContentWalk(file, zooms: zooms, WorkBudget(fileBytes: byteCount))
    }

    public func clusterPayloads() throws(ArchiveError) -> (any ClusterPayloadSource)? {
        guard let clusters else { throw clustersFault ?? .noClusters(path: file.source.path) }
        return clusters
    }

    public func zooms() throws(ArchiveError) -> ClosedRange<Int>? {
        var found: ClosedRange<Int>?
        var walk = EntryWalk(file)
        while let entry = try walk.next() {
            for (zoom, _) in ZoomParts(entry.id, run: entry.run) {
                found = (zoom...zoom).hull(found)
            }
        }
        return found
    }

    public func audit() throws(ArchiveError) -> ContainerAudit {
        var audit = ContainerAudit()
        audit.pmtiles = try PMTilesAudit(of: file).problems
        if let clusters {
            audit.pmtiles += try PMTilesAudit(of: clusters.file).problems.map(
                PMTilesProblem.clusterFile)
            try clusters.check(beside: metadata, &audit.pmtiles)
        }
        return audit
    }
}

extension ArchiveLayout {
    package static let clustered = ArchiveLayout(
        name: "clustered", words: "along the Hilbert curve")
    package static let unclustered = ArchiveLayout(
        name: "unclustered", words: "in no order")
}

/// A run of tiles, zoom by zoom.
struct ZoomParts: Sequence, IteratorProtocol {
    private var id: UInt64
    private let end: UInt64

    init(_ id: UInt64, run: UInt32) {
        self.id = id
        end = id &+ UInt64(run)
    }

    mutating func next() -> (zoom: Int, count: Int)? {
        guard id < end else { return nil }
        guard let zoom = TileID.zoom(ofHilbertID: id) else { return nil }
        let behind = zoom == TileID.deepestZoom ? end : TileID.firstHilbertID(atZoom: zoom + 1)
        let next = behind < end ? behind : end
        defer { id = next }
        return (Int(zoom), Int(next - id))
    }
}
