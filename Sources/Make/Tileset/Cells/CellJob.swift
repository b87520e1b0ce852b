import ArchiveContract
import Basics
import Clustering
import Geometry
import JSON
import Platform
import Points
import Recipes

/// A job that has a plan, with what all phases need; all of them share it.
final class CellJob: Sendable {
    let folder: JobFolder
    let files: JobFiles
    let plan: JobPlan
    let zooms: ZoomPlan
    let levels: CellLevels
    /// The clustering options of each layer.
    let layerOptions: [ClusterOptions]
    let keys: AttributeKeys
    let options: BuildOptions
    /// The name that distinguishes the job from all others.
    let name: String
    /// The kind of the job, which stands in each of its files.
    private let kind: String
    /// The job that was here before, of the same kind and for other points.
    let former: FormerJob?
    /// The blocks of parts, which each cell asks for.
    let partBlocks: BoundedCache<String, PartIndex.Entry>
    /// The efforts of squares, by the paths of their frontiers. Each square around asks for them.
    let efforts: BoundedCache<String, CellFiles.Effort>

    /// A hierarchy: a layer, or the points of a layer that share a value.
    struct Unit: Sendable {
        let layer: Int
        /// The packed value; empty if there is none.
        let group: [UInt8]
    }
    /// The hierarchies, in the order of their leaves.
    let units: [Unit]

    init(
        _ folder: JobFolder, _ plan: JobPlan, keys: AttributeKeys = AttributeKeys(),
        options: BuildOptions
    ) throws {
        self.folder = folder
        self.plan = plan
        self.keys = keys
        self.options = options
        var zooms = ZoomPlan(plan.recipe.tiles, maxZoom: plan.maxZoom, reason: plan.zoomReason)
        for (layer, known) in zip(plan.recipe.layers, plan.layers) {
            zooms.facets[layer.name] = known.facets
        }
        self.zooms = zooms
        levels = CellLevels(
            CellDivision(plan.cells, counts: plan.counts), cutZoom: plan.cutZoom,
            above: plan.levels)
        layerOptions = try plan.recipe.layers.map { try zooms.clusterOptions(for: $0) }
        for name in plan.names { _ = keys.intern(name) }
        units = plan.layers.indices.flatMap { layer in
            plan.layers[layer].groups.map { Unit(layer: layer, group: $0) }
        }
        (name, kind) = (plan.job, plan.kind)
        files = JobFiles(folder, job: name)
        former =
            folder.keepsFiles ? plan.after.map { FormerJob(JobFiles(folder, job: $0)) } : nil
        partBlocks = BoundedCache(budget: 32 << 20) {
            $0.blocks.count * MemoryLayout<PartBlock>.stride
        }
        efforts = BoundedCache(budget: 4 << 20) {
            MemoryLayout<CellFiles.Effort>.size + 8 * $0.counts.count
        }
    }

    /// The same job for another number of threads.
    init(_ job: CellJob, threads: Int) {
        (folder, files, plan, zooms, levels) = (
            job.folder, job.files, job.plan, job.zooms, job.levels
        )
        (layerOptions, keys, units) = (job.layerOptions, job.keys, job.units)
        (name, kind, former) = (job.name, job.kind, job.former)
        (partBlocks, efforts) = (job.partBlocks, job.efforts)
        var options = job.options
        options.threads = threads
        self.options = options
    }

    /// The job in a folder.
    convenience init(in folder: JobFolder, options: BuildOptions) throws {
        guard folder.has(folder.plan) else { throw JobError.notPlanned(folder: folder.path) }
        try self.init(folder, try JobPlan.read(in: folder), options: options)
    }

    var recipe: Recipe { plan.recipe }
    /// The cells, which have all tiles from the cut zoom down.
    var division: CellDivision { levels.cells.division }
    var cutZoom: Int { plan.cutZoom }

    /// The margin in which a square is looked at first.
    func margin(cutZoom: Int) -> Double {
        layerOptions.map { $0.cellMargin(cutZoom: cutZoom, radii: plan.margin) }.max() ?? 0
    }

    /// Whether a later job may take over the files of this one.
    var keepsFiles: Bool { folder.keepsFiles }

    /// How far from a square its tiles may show clusters: each pass of each zoom moves a node by a radius at most.
    func reachOfNodes(from cutZoom: Int) -> Double {
        let radii = layerOptions.map { options in
            (cutZoom...max(cutZoom, options.maxZoom)).reduce(0.0) {
                $0 + options.radius.distance(atZoom: $1)
            }
        }
        let shallowest = max(0, cutZoom - CompanionLayer.heatZooms)
        // Crowded points are clustered at deeper zooms too, whose radii add up to no more than these.
        let passes = levels.levels.indices.map(passLimit(ofLevel:)).max() ?? 0
        return 2 * Double(passes) * (radii.max() ?? 0)
            + BorderReach.reach(recipe.tiles, from: shallowest)
    }

    /// Whether points have ids so great that clusters may share them.
    var mayEqualPointIDs: Bool { (plan.greatestID ?? 0) >= UInt64(PlaceID.least) }

    /// The tiles past the cluster zooms of a layer that would be too full; nil if there are no such zooms or too few points.
    func crowding(in layer: Int) -> Crowding? {
        let known = plan.layers[layer]
        let limit = WeightLimit(recipe.tiles)
        return limit.mayBeExceeded(by: known.points, recordBytes: known.recordBytes)
            ? Crowding(in: recipe.layers[layer], layerOptions[layer], zooms) : nil
    }

    /// How many passes a zoom is supposed to take at most in cells at present.
    var passLimit: Int { passLimit(ofLevel: 0) }

    /// The number of the first leaf of each layer in the archive.
    var firstLeaves: [Int] {
        var next = 0
        return plan.layers.map { layer in
            defer { next += layer.points }
            return next
        }
    }

    /// Begins a file of the job. It starts with the attribute names, whose numbers records use.
    func write(_ path: String) throws(JobError) -> JobFileWriter {
        var writer = try JobFileWriter(path, job: kind)
        var sink = BlockSink()
        sink.write(keys.names)
        try writer.append(sink.bytes)
        return writer
    }

    /// Writes a file of one block.
    func write(_ path: String, _ body: (inout BlockSink) -> Void) throws(JobError) {
        var writer = try write(path)
        var sink = BlockSink()
        body(&sink)
        try writer.append(sink.bytes)
        try writer.finish()
    }

    /// Opens a file of the job.
    func read(_ path: String) throws(JobError) -> (reader: JobFileReader, keys: StoredKeys) {
        var reader = try JobFileReader(path, in: folder, job: kind)
        let names = try reader.decodeBlock { (source) throws(BlockSource.Damaged) in
            try [String](from: &source)
        }
        return (reader, StoredKeys(names, in: keys))
    }

    /// Reads a file of one block, or the first block of a file.
    func read<Value>(
        _ path: String, _ body: (inout BlockSource) throws(BlockSource.Damaged) -> Value
    ) throws(JobError) -> Value {
        var (reader, _) = try read(path)
        return try reader.decodeBlock(body)
    }

    /// The values in a file of one block, or in the first block of a file.
    func values<each Value: BlockValue>(of path: String) throws(JobError) -> (repeat each Value) {
        try read(path) { (source) throws(BlockSource.Damaged) in try source.values() }
    }

    /// Writes the plan and returns true; false if the folder has another plan by now, which stays.
    /// - Parameter old: the plan to replace.
    func publishPlan(instead old: JobPlan? = nil) throws(JobError) -> Bool {
        // The lock prevents another process from replacing the plan between the check and the rename.
        let lock = old.flatMap { _ in try? OpenDirectory(folder.path) }
        lock?.waitForLock()
        defer { extendLifetime(lock) }
        if let old, (try? JobPlan.read(in: folder))?.job != old.job { return false }
        let temporary = "\(folder.plan).\(Process.uniqueName).part"
        let text = Array(plan.json.text().utf8)
        do throws(FileError) {
            try UnfinishedFiles.begin(temporary) { () throws(FileError) in
                try File.write(text.span, toNew: temporary)
            }
            defer { UnfinishedFiles.remove(temporary) }
            if old != nil {
                try File.rename(temporary, to: folder.plan)
            } else {
                try File.link(temporary, as: folder.plan)
            }
            return true
        } catch {
            if error.isTaken { return false }
            throw .cannotWrite(path: folder.plan, reason: "\(error)")
        }
    }

    /// Removes what an earlier plan needs and this one does not.
    func removeAll(of former: JobPlan) {
        for old in [former.job, former.after].compactMap(\.self) where old != plan.after {
            files.remove(job: old)
        }
        removeParts(former.parts + (former.before?.parts ?? []), but: plan.before?.parts ?? [])
    }

    private func removeParts(_ parts: [String], but kept: [String]) {
        files.remove(parts: Set(parts).subtracting(plan.parts).subtracting(kept))
    }

    /// Removes the job that was here before and its points: what could be taken over has been, and the archive is complete.
    func removeFormer() {
        if let after = plan.after { files.remove(job: after) }
        removeParts(plan.before?.parts ?? [], but: [])
    }

    func checkCancelled() throws { try options.checkCancelled() }
}

extension JobPlan {
    private static let longest = 1 << 30

    static func read(in folder: JobFolder) throws -> JobPlan {
        let path = folder.plan
        let size = (try? FileStatus(of: path).size) ?? 0
        let bytes = try folder.bytes(of: path, 0..<min(size, longest))
        guard let json = try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self)) else {
            throw JobError.damaged(path: path)
        }
        guard json.asObject?["version"] == .integer(Int64(JobFile.version)) else {
            throw JobError.otherVersion(path: path)
        }
        guard let plan = JobPlan(json) else { throw JobError.damaged(path: path) }
        return plan
    }
}
