import ArchiveContract
import Geometry
import JSON
import Platform
import TileArchive

/// Converts an archive, or a part of it, to another container. The bytes of tiles are copied,
/// unless the container needs gzip and they are not compressed. Tiles of a part are read, so that
/// the new metadata describe what they hold.
///
///     let report = try ArchiveConversion(archive, to: "out/", in: TileFolder.self).run()
public struct ArchiveConversion: Sendable {
    private let archive: Archive
    private let path: String
    private let container: any ArchiveContainer.Type
    private let options: ConversionOptions
    private let progress: @Sendable (_ done: Int, _ unit: String) -> Void
    /// Whether several threads look tiles up, because reading them is work.
    var looksTilesUp = false
    /// Whether the metadata may describe more than the tiles hold, even if all tiles are copied.
    var looksInside = false
    /// Writes the payloads about clusters, if they are not a copy of the archive's.
    var joinedClusters: JoinedClusters?

    public init(
        _ archive: Archive, to path: String, in container: any ArchiveContainer.Type,
        options: ConversionOptions = ConversionOptions(),
        progress: @escaping @Sendable (_ done: Int, _ unit: String) -> Void = { _, _ in }
    ) {
        self.archive = archive
        self.path = path
        self.container = container
        self.options = options
        self.progress = progress
    }

    /// Runs the conversion. The archive appears whole at the end; if this throws, it does not appear.
    public func run() throws -> ConversionReport {
        try ArchivePaths.check(path, against: [archive.path])
        try ConversionError.checkMetadata(of: archive)
        try refuseHalfPyramids()
        var sinkOptions = options.sink
        sinkOptions.format = archive.metadata.format
        let isCancelled = options.isCancelled
        sinkOptions.isCancelled = isCancelled
        let sink = try container.sink(to: path, options: sinkOptions)
        var report = ConversionReport()
        let isVector = archive.metadata.format == "pbf"
        try TileTransfer(
            archive: archive, selection: options.selection, threads: options.threads,
            packing: isVector && sink.wantsGzip ? compression : nil, isCancelled: isCancelled,
            looksUp: looksTilesUp, looksInside: isVector && (looksInside || !isWhole)
        ).run(to: sink, &report) { progress($0, "tiles") }
        guard report.tiles > 0 || options.selection.words.isEmpty else {
            throw ConversionError.noTiles(path: archive.path, asked: options.selection.words)
        }
        try noteStrays(&report)
        let blocks = keepsClusters(&report) ? try copyClusters(to: sink, &report) : nil
        let metadata = PartialMetadata(
            source: archive.metadata, selection: options.selection,
            describesClusters: describesClusters, blocks: blocks, leavesTilesOut: leavesTilesOut)
        try sink.finish(metadata.rewritten(&report))
        return report
    }

    private func noteStrays(_ report: inout ConversionReport) throws {
        let count = try archive.strayRows()
        guard count > 0 else { return }
        report.notes.append(
            "left out \(count) row\(count == 1 ? "" : "s") of tiles: no tile has such numbers; covey "
                + "verify shows them")
    }

    private func copyClusters(
        to sink: any ArchiveSink, _ report: inout ConversionReport
    ) throws -> ClusterDescription.Blocks? {
        if let joinedClusters {
            return try joinedClusters.run(to: sink, &report) { progress($0, "leaf blocks") }
        }
        return try ClusterTransfer(archive: archive, isCancelled: options.isCancelled)
            .run(to: sink, &report) { progress($0, "leaf blocks") }
    }

    private var leavesTilesOut: Bool {
        (try? archive.description?.get()).map { $0.variableDepth > 0 } ?? false
    }

    private var compression: Int { options.compression ?? archive.metadata.builtCompression }

    /// If tiles are left out because shallower ones show the same, the shallower ones must be copied too.
    private func refuseHalfPyramids() throws(ConversionError) {
        guard leavesTilesOut,
            options.selection.zooms.lowerBound > Int(archive.metadata.minZoom ?? 0)
        else { return }
        throw .collision(
            "\(archive.path) was built with --variable-depth: shallow tiles stand for deeper ones",
            advice: "leave out --min-zoom, or build the archive again without --variable-depth")
    }

    /// Whether no tile is left out, as far as the archive's metadata tell its zooms.
    private var isWhole: Bool {
        let zooms = options.selection.zooms
        return options.selection.box == nil
            && zooms.lowerBound <= archive.metadata.minZoom.map(Int.init) ?? 0
            && zooms.upperBound >= archive.metadata.maxZoom.map(Int.init) ?? 31
    }

    private var describesClusters: Bool { (try? archive.description?.get()) != nil }

    /// Whether the index of clusters is copied; if not, the reason is noted.
    private func keepsClusters(_ report: inout ConversionReport) -> Bool {
        guard archive.hasClusters else {
            if let fault = archive.clustersFault {
                report.warn("the index of clusters is left out: \(fault)")
            }
            return false
        }
        if options.selection.box != nil {
            report.notes.append(
                "the index of clusters is left out: it would tell of points outside the box")
            return false
        }
        switch archive.description {
        case .success(let description):
            if description.format > 3 { return true }
            report.notes.append(
                "the index of clusters is left out: it was built by an earlier covey; build the "
                    + "archive again to have one")
        case .failure(let error):
            report.notes.append("the index of clusters is left out: \(error)")
        case nil:
            report.notes.append(
                "the index of clusters is left out: the archive does not say what is in it")
        }
        return false
    }
}
