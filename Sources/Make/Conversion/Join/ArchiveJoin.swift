import ArchiveContract
import Geometry
import TileArchive

/// Joins archives into one: layers side by side, layers of one name merged, and clusters with new
/// ids by which they can be asked about.
///
///     let report = try ArchiveJoin([a, b], to: "both.mbtiles", in: MBTiles.self).run()
public struct ArchiveJoin: Sendable {
    private let archives: [Archive]
    private let path: String
    private let container: any ArchiveContainer.Type
    private let name: String?
    private let options: ConversionOptions
    private let progress: @Sendable (_ done: Int, _ unit: String) -> Void

    /// - Parameter name: the name of the new archive; nil joins the names of all.
    public init(
        _ archives: [Archive], to path: String, in container: any ArchiveContainer.Type,
        name: String? = nil, options: ConversionOptions = ConversionOptions(),
        progress: @escaping @Sendable (_ done: Int, _ unit: String) -> Void = { _, _ in }
    ) {
        self.archives = archives
        self.path = path
        self.container = container
        self.name = name
        self.options = options
        self.progress = progress
    }

    /// Runs the join. The archive appears whole at the end; if this throws, it does not appear.
    public func run() throws -> ConversionReport {
        try ArchivePaths.check(path, against: archives.map(\.path))
        for archive in archives { try ConversionError.checkMetadata(of: archive) }
        let plan = JoinPlan(archives)
        let check = JoinCheck(archives: archives, plan: plan, zooms: options.selection.zooms)
        try check.refuse()
        try refuseEndlessRuns()
        var account = JoinedMetadata(archives.map(\.metadata), plan, name: name)
        let joined = JoinedContents(
            archives, account.metadata(), plan,
            compression: options.compression ?? archives[0].metadata.builtCompression)
        let archive = Archive(
            joined, named: "join", path: archives.map(\.path).joined(separator: ", "))
        var conversion = ArchiveConversion(
            archive, to: path, in: container, options: options, progress: progress)
        conversion.looksTilesUp = true
        // Descriptions of layers without an index are not copied, so tiles are read.
        conversion.looksInside = archives.contains { !$0.hasClusters }
        if joined.hasClusters {
            conversion.joinedClusters = JoinedClusters(
                archives: archives, plan: plan, compression: joined.compression,
                isCancelled: options.isCancelled)
        }
        var report = try conversion.run()
        report.rewrittenTiles = joined.tally.rewrittenTiles
        for fault in archives.compactMap(\.clustersFault) {
            report.warn("an index of clusters is left out: \(fault)")
        }
        report.notes = check.notes + account.notes + joined.tally.notes + report.notes
        return report
    }

    /// Tiles are joined one by one. A walk refuses runs that stand for too many tiles over all its zooms before
    /// it gives a tile; here tiles are asked for zoom by zoom, so this checks beforehand.
    private func refuseEndlessRuns() throws(ArchiveError) {
        for archive in archives {
            let walk = try archive.scanNumbers(zooms: options.selection.zooms)
            _ = try walk.next()
        }
    }
}
