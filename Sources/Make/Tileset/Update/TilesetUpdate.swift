import ArchiveContract
import Geometry
import JSON
import Platform
import PointInput
import Recipes
import Synchronization
import TileArchive

/// Updates an archive: the result is the archive that a build of the present points gives, byte for
/// byte.
///
///     var request = UpdateRequest()
///     request.sources = ["today.geojson"]
///     let report = try TilesetUpdate(of: "places.mbtiles", request).run()
public struct TilesetUpdate: Sendable {
    let archive: String
    let request: UpdateRequest
    let path: String
    let container: (any ArchiveContainer.Type)?
    let options: BuildOptions
    /// Is called with the changes before they are made.
    let preview: @Sendable (UpdatePreview) throws -> Void
    let progress: @Sendable (BuildProgress) -> Void

    /// - Parameters:
    ///   - path: the path of the new archive; nil means that it replaces the old one.
    ///   - container: the kind of the new archive; nil means that of the old one.
    public init(
        of archive: String, _ request: UpdateRequest, to path: String? = nil,
        in container: (any ArchiveContainer.Type)? = nil, options: BuildOptions = BuildOptions(),
        preview: @escaping @Sendable (UpdatePreview) throws -> Void = { _ in },
        progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }
    ) {
        self.archive = archive
        self.request = request
        self.path = path ?? archive
        self.container = container
        self.options = options
        self.preview = preview
        self.progress = progress
    }

    /// The recipe that an archive was built by.
    public static func recipe(of archive: Archive) throws -> Recipe {
        guard archive.metadata.keptPoints != nil, let text = archive.metadata.generatorOptions
        else {
            throw UpdateError.noPointsKept(archive: archive.path)
        }
        return try Recipe(reading: JSONNode(JSONValue(parsing: text)))
    }

    /// The path of the file with an archive's points; nil if the archive does not name one.
    public static func pointsFile(of archive: Archive) -> String? {
        archive.metadata.keptPoints.map { KeptPoints.path(beside: archive.path, sum: $0) }
    }

    /// Whether the new archive replaces the old one, by whatever name.
    private var isInPlace: Bool {
        path == archive || KeptFiles([archive]).file(at: path) != nil
    }

    public func run() throws -> UpdateReport {
        let old = try Archive(path: archive)
        let recipe = try Self.recipe(of: old)
        guard let sum = old.metadata.keptPoints else {
            throw UpdateError.noPointsKept(archive: archive)
        }
        let layer = try layer(in: recipe)
        let kept = try KeptPoints(beside: archive, sum: sum, of: recipe)
        // Held until this function ends.
        let lock = try lock(kept)
        defer { extendLifetime(lock) }
        // Another run may have ended in the meantime.
        guard try Archive(path: archive).metadata.keptPoints == sum else {
            throw UpdateError.isLocked(archive: archive)
        }
        let other = try isInPlace ? nil : KeptPoints.lock(beside: path)
        defer { extendLifetime(other) }
        let failure = Mutex<(any Error)?>(nil)
        var options = settled(instead: old) { error in failure.withLock { $0 = error } }
        let parts = try parts(kept, sum, &options.cells)
        try options.cells.cutAsBefore()
        let update = UpdateInput(
            kept, parts, identified(recipe.layers[layer]), layer: layer,
            KnownKinds(of: recipe.layers[layer].name, in: old.metadata, archive))
        var build = TilesetBuild(
            recipe, to: path, in: container ?? old.kind ?? MBTiles.self, options: options,
            progress: progress)
        build.update = update
        do {
            var report = UpdateReport(build: try build.run(), update)
            if parts != nil, !isInPlace { report.pointsTaken = options.cells.folder }
            return report
        } catch BuildError.noPoints {
            throw UpdateError.noPointsLeft(layer: recipe.layers[layer].name)
        } catch {
            throw failure.withLock { $0 } ?? error
        }
    }

    /// The points, if they are in the folder of a job, which the update then continues.
    private func parts(
        _ kept: KeptPoints, _ sum: String, _ cells: inout CellOptions
    ) throws(UpdateError) -> KeptParts? {
        guard let job = kept.job else { return nil }
        let path = cells.folder ?? job
        guard JobFolder.holdsPlan(path), let folder = try? JobFolder(path),
            let plan = try? JobPlan.read(in: folder), let parts = plan.kept(as: sum, in: folder)
        else { throw .jobIsGone(archive: archive, folder: path) }
        // A copy names the same job; with its points gone, the archive itself could not be updated any more.
        if cells.folder == nil, isInPlace, let other = original(plan, sum, in: folder) {
            throw .jobIsOfOther(archive: archive, folder: path, other: other)
        }
        cells.folder = path
        return parts
    }

    /// The archive that this one is a copy of, if a job still has its points.
    private func original(_ plan: JobPlan, _ sum: String, in folder: JobFolder) -> String? {
        let known = [plan.job, plan.after].compactMap(\.self).flatMap {
            WrittenArchive.paths(of: JobFiles(folder, job: $0))
        }
        let isSame = { KeptFiles([archive]).file(at: $0) != nil }
        return known.contains(where: isSame)
            ? nil : known.first { (try? Archive(path: $0))?.metadata.keptPoints == sum }
    }

    /// The options for building the new archive.
    /// - Parameter fail: is called with the reason if the archive is refused.
    private func settled(
        instead old: Archive, fail: @escaping @Sendable (any Error) -> Void
    ) -> BuildOptions {
        var options = options
        options.keepsPoints = true
        options.replacesExisting = options.replacesExisting || isInPlace
        let looks: @Sendable (() throws -> Void) -> Bool = { look in
            do {
                try look()
                return true
            } catch {
                fail(error)
                return false
            }
        }
        options.willPublish = { temporaryPath in
            looks {
                let new = try Archive(path: temporaryPath)
                try check(new.metadata, instead: old)
                try preview(.archives(old: old, new: new))
            }
        }
        options.willChange = { tiles, metadata in
            looks {
                try check(metadata, instead: old)
                try preview(.tiles(tiles))
            }
        }
        return options
    }

    /// Where ids come from an attribute, whole numbers became ids, and other values stayed what they are.
    private func identified(_ layer: Recipe.Layer) -> UpdateRequest {
        var request = request
        if let name = layer.input.id, [.id, .attribute(name)].contains(request.identity) {
            request.identity = .ids(from: name)
        }
        return request
    }

    /// Checks the metadata of the new archive.
    private func check(_ new: ArchiveMetadata, instead old: Archive) throws {
        guard request.keepsFacts else { return }
        let facts = PlanFacts.differences(old.metadata, new)
        guard facts.isEmpty else { throw UpdateError.factsChange(facts) }
    }

    private func layer(in recipe: Recipe) throws(UpdateError) -> Int {
        let names = recipe.layers.map(\.name)
        guard let name = request.layer else {
            guard names.count == 1 else { throw .layerMissing(known: names) }
            return 0
        }
        guard let index = names.firstIndex(of: name) else { throw .noLayer(name, known: names) }
        return index
    }

    private func lock(_ kept: KeptPoints) throws -> File {
        // A file that has just been removed was replaced by another run. With another output path
        // the points stay unchanged, so a shared lock is enough.
        guard let file = try? File(readingRegular: kept.path),
            file.lock(exclusively: isInPlace)
        else { throw UpdateError.isLocked(archive: archive) }
        return file
    }
}

/// What an update is about to change.
public enum UpdatePreview {
    /// A new archive replaces the old one.
    case archives(old: Archive, new: Archive)
    /// These tiles change in place.
    case tiles([(tile: TileID, change: TileChange)])
}
