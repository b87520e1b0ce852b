import Platform

/// How much disk a build in cells will need, so that one that cannot fit is refused before the work.
struct DiskForecast {
    /// What a point takes in all files of a job beside copies of its row: its place in trees, those of
    /// clusters, its tiles.
    private static let bytesBesideRows = 90
    /// How often a point's row is written: as it is read, in its cell and near others, in the cell's
    /// tree and in the order of the archive.
    private static let copiesOfRow = 4.5
    /// A position, a weight, an id, and where the attributes end.
    private static let bytesOfRow = 36
    /// What the attributes of a point take, before it is known.
    private static let usualRecord = 30
    /// Nodes for each point, and how often each is in the archive: in tiles, and points in blocks too.
    private static let featuresOfPoint = 2.6

    let jobBytes: Int
    let archiveBytes: Int

    init(points: Int, recordBytes: Int) {
        let rows = Double(recordBytes + points * Self.bytesOfRow)
        jobBytes = Int(Self.copiesOfRow * rows) + points * Self.bytesBesideRows
        let feature = ZoomPlan.featureBytes(points: points, recordBytes: recordBytes)
        archiveBytes = Int(feature * Double(points) * Self.featuresOfPoint)
    }

    init(_ plan: JobPlan) {
        self.init(
            points: plan.leafCount, recordBytes: plan.layers.reduce(0) { $0 + $1.recordBytes })
    }

    /// The forecast from the sizes of plain files; what cannot be told counts nothing.
    init(files: [String]) {
        let points = MemoryForecast.points(inFiles: files)
        self.init(points: points, recordBytes: points * Self.usualRecord)
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
        // Where nobody says how much is free, it shows when it is full.
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
