import Clustering
import Platform

/// How much disk a build in cells will need, so that one that cannot fit is refused before the work.
struct DiskForecast {
    /// How often a point's row is written: in its part, in its cell's tree, and in the files for other cells.
    private static let copiesOfRow = 2.2
    /// How many of these copies are written once points have been read, and will be removed again.
    private static let copiesOnceRead = 0.7
    /// The bytes for a position, a weight, an id, and the end of the attributes.
    private static let bytesOfRow = 36
    /// The bytes for the attributes of a point, before they are known.
    private static let usualRecord = 30
    /// How much larger than estimated tiles may be, as measured with towns and scattered points.
    private static let tileMargin = 1.3
    /// The bytes for a tile besides its features.
    private static let bytesOfTile = 110
    /// The bytes of the index for a point; there are a third as many clusters.
    private static let indexBytesOfPoint = 15

    /// About how many bytes of tiles there are for a point, if it is alone in the last of its tiles.
    private static let likelyTileBytes = bytesOfTile + 3 * bytesOfRow

    /// What the job still has to write.
    let jobBytes: Int
    let archiveBytes: Int
    /// What the job has written, which counts as free.
    private let writtenBytes: Int
    /// What tiles may add to both, as long as points have not been read.
    private let unknownBytes: Int

    /// - Parameter tileBytes: the size of all tiles.
    init(points: Int, recordBytes: Int, tileBytes: Int, isRead: Bool) {
        let rows = Double(recordBytes + points * Self.bytesOfRow)
        let copies = isRead ? Self.copiesOfRow - Self.copiesOnceRead : Self.copiesOfRow
        let feature = ZoomPlan.featureBytes(points: points, recordBytes: recordBytes)
        let blockBytes = Int((feature + Double(Self.indexBytesOfPoint)) * Double(points))
        // Tiles and blocks are in the job's folder before they are in the archive.
        jobBytes = Int(copies * rows) + tileBytes + blockBytes
        writtenBytes = isRead ? Int(Self.copiesOnceRead * rows) : 0
        unknownBytes = isRead ? 0 : points * Self.likelyTileBytes
        archiveBytes = tileBytes + blockBytes
    }

    /// The forecast for points that have been counted.
    init(_ plan: JobPlan, _ counts: PointCounts, _ layers: [ClusterOptions], _ zooms: ZoomPlan) {
        let recordBytes = plan.layers.reduce(0) { $0 + $1.recordBytes }
        let feature = ZoomPlan.featureBytes(points: plan.leafCount, recordBytes: recordBytes)
        let clustered = layers.map(\.maxZoom).min() ?? 0
        let hierarchies = plan.layers.reduce(0) { $0 + $1.groups.count }
        var bytes = 0.0
        for zoom in zooms.zooms {
            let nodes =
                Int(zoom) > clustered
                ? Double(counts.total)
                : CellChoice.nodes(counts, layers, hierarchies, at: Int(zoom), PointCounts.taken)
            bytes +=
                feature * nodes + Double(Self.bytesOfTile * counts.tileCount(at: zoom))
        }
        self.init(
            points: plan.leafCount, recordBytes: recordBytes,
            tileBytes: Int(Self.tileMargin * bytes), isRead: true)
    }

    /// The least forecast, from the sizes of plain files; other files count nothing.
    init(files: [String]) {
        let points = MemoryForecast.points(inFiles: files)
        self.init(
            points: points, recordBytes: points * Self.usualRecord, tileBytes: 0, isRead: false)
    }

    /// Throws if the job's folder or the archive would not fit on its disk. The number that it names is enough for
    /// all that is written there from the beginning on.
    func check(job: String, archive: String?) throws(JobError) {
        let folder = Self.folder(around: job)
        guard let archive else {
            return try check(jobBytes, writtenBytes, unknownBytes, in: folder)
        }
        let other = Self.folder(around: archive)
        if Self.device(of: folder) == Self.device(of: other) {
            return try check(jobBytes + archiveBytes, writtenBytes, 2 * unknownBytes, in: folder)
        }
        try check(jobBytes, writtenBytes, unknownBytes, in: folder)
        try check(archiveBytes, 0, unknownBytes, in: other)
    }

    private func check(
        _ needed: Int, _ written: Int, _ unknown: Int, in folder: String
    ) throws(JobError) {
        // If the free space is not known, the build fails only when the disk is full.
        guard let free = try? Directory(folder).freeBytes(), free < needed else { return }
        throw .diskTooSmall(
            folder: folder, needed: written + needed + unknown, free: free + written)
    }

    /// The nearest existing directory above a path.
    private static func folder(around path: String) -> String {
        var path = path
        while (try? FileStatus(of: path))?.kind != .directory {
            let above = Directory.split(path).directory
            guard above != path else { break }
            path = above
        }
        return path
    }

    private static func device(of folder: String) -> UInt64? {
        (try? FileStatus(of: folder))?.identity.device
    }
}
