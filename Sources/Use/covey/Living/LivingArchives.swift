import Arguments
import CLibrary
import Dispatch
import JSON
import Platform
import PointInput
import Synchronization
import TileArchive
import TileService
import Tileset

/// Points that are served as archives: built at the start, and again whenever their files change.
final class LivingArchives: Sendable {
    private let folder: TemporaryFolder
    private let console: Console
    private let isQuiet: Bool
    private let builds: Mutex<[LiveBuild]>
    /// The id of the archive that each makes.
    private let ids: [String]
    let troubles = BuildTroubles()
    private let queue = DispatchQueue(label: "covey.serve.builds")

    /// The paths to serve: archives as they were named, and those of points in a temporary folder.
    let paths: [ServedPath]

    /// Nil if only archives, or folders of them, are named.
    init?(_ named: [ServedPath], console: Console, isQuiet: Bool) throws {
        let areOfPoints = named.map(Self.isOfPoints)
        for path in named where !isQuiet && Self.hasPointsBesideArchives(path) {
            console.say("\(path.path): has archives, so files of points in it are passed over")
        }
        guard areOfPoints.contains(true) else { return nil }
        let directory = Process.temporaryDirectory
        TemporaryFile.removeLeftovers(in: directory)
        let folder: TemporaryFolder
        do {
            folder = try TemporaryFolder(in: directory)
        } catch {
            throw ServeError.noPlaceForBuilds(directory: directory, reason: "\(error)")
        }
        var builds: [LiveBuild] = []
        var ids: [String] = []
        paths = try zip(named, areOfPoints).map { path, isOfPoints in
            guard isOfPoints else { return path }
            let name = path.id ?? ServedPath.usualID(of: LayerName.stem(of: path.path))
            let archive = "\(folder.path)/\(builds.count)-\(name).mbtiles"
            ids.append(name)
            builds.append(
                LiveBuild(
                    of: [path.path], to: archive, in: MBTiles.self,
                    try BuildVerb.syntax.parse([path.path])))
            var served = ServedPath(path: archive, id: name)
            served.isLiving = true
            served.origin = path.path
            return served
        }
        self.folder = folder
        self.console = console
        self.isQuiet = isQuiet
        self.builds = Mutex(builds)
        self.ids = ids
    }

    /// Whether a path has points: a file that is not an archive, or a folder that has points but no archives. Of a
    /// file that is not there yet, the name decides.
    private static func isOfPoints(_ path: ServedPath) -> Bool {
        if Archive.isAddress(path.path) { return false }
        guard let status = try? FileStatus(of: path.path) else {
            return PointSource.isOfPoints(path.path) || path.path.hasSuffix(".json")
        }
        guard status.isRegular else {
            return status.kind == .directory && path.ids.isEmpty
                && LiveBuild.hasPoints(inFolder: path.path)
        }
        if ArchiveContainers.container(named: path.path) != nil { return false }
        let start = (try? File(readingRegular: path.path).bytes(upTo: 64)) ?? []
        // A GeoPackage begins like an MBTiles archive.
        return ArchiveContainers.container(of: start) == nil || !isArchive(path.path)
    }

    /// Whether a folder of archives has points, too, which would be served without them.
    private static func hasPointsBesideArchives(_ path: ServedPath) -> Bool {
        (try? FileStatus(of: path.path))?.kind == .directory && !TileFolder.lies(at: path.path)
            && !path.ids.isEmpty && LiveBuild.hasPoints(inFolder: path.path)
    }

    private static func isArchive(_ path: String) -> Bool { (try? Archive(path: path)) != nil }

    /// Builds all of them. What cannot be built yet is told and served later, unless there is nothing else to serve.
    func buildAll() throws {
        var failures = 0
        let display = ProgressDisplay(
            console.isInteractive && !isQuiet ? .auto : .none, console: console)
        do {
            try Interruption.stopping(console, clean: display.finish) { interruption in
                for number in builds.withLock({ $0.indices }) {
                    do {
                        try build(number, display.show) { interruption.isRequested }
                    } catch {
                        failures += 1
                        guard failures < paths.count, !interruption.isRequested else { throw error }
                        display.finish()
                        complain(number, "not served until it changes: \(error)")
                    }
                    display.finish()
                }
            }
            try Interruption.goOn()
        } catch {
            remove()
            throw error
        }
    }

    private func build(
        _ number: Int, _ progress: @escaping BuildRun.Progress,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws {
        var build = builds.withLock { $0[number] }
        var options = BuildOptions.usual
        options.replacesExisting = true
        options.temporaryDirectory = folder.path
        options.isCancelled = isCancelled
        let start = ContinuousClock.now
        let result = Result { try build.build(options, progress, prepare: folder.renew) }
        builds.withLock { [build] in $0[number] = build }
        troubles.note(ids[number], isBuilt: (try? result.get()) != nil)
        let report: BuildReport
        do {
            report = try result.get()
        } catch {
            if error is UsageError || isCancelled() { throw error }
            throw UnbuiltPoints(path: build.inputs[0], reason: error)
        }
        guard !isQuiet else { return }
        let points = report.layers.reduce(0) { $0 + $1.points }
        let line =
            "\(build.inputs[0]): \(Quantity.text(points, "points")) in "
            + "\(Quantity.text(report.tileCount, "tiles")), built in "
            + Quantity.seconds((ContinuousClock.now - start) / .seconds(1))
        let remarks = ReportTable(report, files: [build.inputs[0]]).remarks
        console.say(([line] + remarks).joined(separator: "\n"))
    }

    /// Looks at the files every half second from now on, and builds what has changed or is gone. Errors are
    /// reported, and the former archive stays.
    func watch() {
        queue.asyncAfter(deadline: .now() + 0.5) { [self] in
            for number in builds.withLock({ $0.indices })
            where builds.withLock({ $0[number].isDue() }) {
                do {
                    try build(number, { _ in }) { false }
                } catch {
                    let isThere = builds.withLock { $0[number].isThere }
                    complain(
                        number, "\(isThere ? "still served as it was" : "not served"): \(error)")
                }
            }
            watch()
        }
    }

    private func complain(_ number: Int, _ words: String) {
        console.complain("\(builds.withLock { $0[number].inputs[0] }): \(words)")
    }

    /// Removes the temporary archives, at the end.
    func remove() { UnfinishedFiles.remove(folder.path) }
}

/// Points that could not be built, for a person who cannot give the options of `build` here.
private struct UnbuiltPoints: Error, CustomStringConvertible {
    let path: String
    let reason: any Error

    var description: String {
        let words = explanation(of: reason)
        guard words.contains("--"), (try? RecipeFile(path)) == nil, !isUnfinishedJSON else {
            return words
        }
        let recipe = Directory.split(path).name == "r.json" ? "recipe.json" : "r.json"
        return words
            + "\nfor options of build, make a recipe and serve that: "
            + "covey recipe show \(path) OPTIONS > \(recipe)"
    }

    /// Whether it may be a recipe that is just being written. Larger files are no recipes.
    private var isUnfinishedJSON: Bool {
        guard path.hasSuffix(".json"), let file = try? File(readingRegular: path),
            let bytes = try? file.bytes(upTo: 1 << 20), bytes.count < 1 << 20
        else { return false }
        return (try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self))) == nil
    }
}
