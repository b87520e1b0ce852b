import Clustering
import Platform

/// How much disk a build in cells will need, so that one that cannot fit is refused before the work.
struct DiskForecast {
    /// How often a point's row is written: in its part, and in its cell's tree and what that tells others.
    private static let copiesOfRow = 2.2
    /// What of that has been written when points have been read, and will be given back.
    private static let copiesOnceRead = 1.0
    /// A position, a weight, an id, and where the attributes end.
    private static let bytesOfRow = 36
    /// What the attributes of a point take, before it is known.
    private static let usualRecord = 30
    /// What a tile takes beside its features.
    private static let bytesOfTile = 110
    /// What the index takes for a point: of clusters there are a third as many.
    private static let indexBytesOfPoint = 15

    let jobBytes: Int
    let archiveBytes: Int

    /// - Parameter tileBytes: what all tiles take.
    init(points: Int, recordBytes: Int, tileBytes: Int, isRead: Bool) {
        let rows = Double(recordBytes + points * Self.bytesOfRow)
        let copies = isRead ? Self.copiesOfRow - Self.copiesOnceRead : Self.copiesOfRow
        let feature = ZoomPlan.featureBytes(points: points, recordBytes: recordBytes)
        let blockBytes = Int((feature + Double(Self.indexBytesOfPoint)) * Double(points))
        // Tiles and blocks are in the job's folder before they are in the archive.
        jobBytes = Int(copies * rows) + tileBytes + blockBytes
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
            points: plan.leafCount, recordBytes: recordBytes, tileBytes: Int(bytes), isRead: true)
    }

    /// The least forecast from the sizes of plain files; what cannot be told counts nothing.
    init(files: [String]) {
        let points = MemoryForecast.points(inFiles: files)
        self.init(
            points: points, recordBytes: points * Self.usualRecord, tileBytes: 0, isRead: false)
    }

    /// Throws if the job's folder or the archive would not fit on its disk.
    func check(job: String, archive: String?) throws(JobError) {
        let folder = Self.folder(around: job)
        guard let archive else { return try Self.check(jobBytes, in: folder) }
        let other = Self.folder(around: archive)
        if Self.device(of: folder) == Self.device(of: other) {
            return try Self.check(jobBytes + archiveBytes, in: folder)
        }
        try Self.check(jobBytes, in: folder)
        try Self.check(archiveBytes, in: other)
    }

    private static func check(_ needed: Int, in folder: String) throws(JobError) {
        // Where the free space is not known, a full disk shows when it is full.
        guard let free = try? Directory(folder).freeBytes(), free < needed else { return }
        throw .diskTooSmall(folder: folder, needed: needed, free: free)
    }

    /// The nearest directory that is there.
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
