import Arguments
import Platform
import PointInput
import TileArchive
import Tileset

/// A build that is repeated whenever its inputs have changed, or its archive is gone.
struct LiveBuild {
    let inputs: [String]
    let path: String
    let container: any ArchiveContainer.Type
    let arguments: ParsedArguments
    /// The inputs of the last build, in their state before it.
    private var built: [String] = []
    /// When to build again though the inputs have not changed.
    private var again = Again.never
    /// The inputs in their state at the last look.
    private var seen: [String] = []
    /// How many looks in a row found them changed.
    private var changes = 0
    /// After so many they are built though they go on changing.
    private static let mostChanges = 10

    /// - Parameter arguments: the arguments of `covey build`.
    init(
        of inputs: [String], to path: String, in container: any ArchiveContainer.Type,
        _ arguments: ParsedArguments
    ) {
        self.inputs = inputs
        self.path = path
        self.container = container
        self.arguments = arguments
    }

    private enum Again {
        /// The inputs are at fault.
        case never
        case onceTheArchiveIsGone
        /// The place was at fault, as a full disk is.
        /// - Parameter pause: how long after the last try.
        case at(ContinuousClock.Instant, pause: Duration)
    }

    private static let pauses = (first: Duration.seconds(5), longest: Duration.seconds(60))

    /// Whether to build again: the inputs have changed, and have stopped changing or have not stopped for long; or
    /// the archive is gone, or could not be written the last time.
    mutating func isDue(at now: ContinuousClock.Instant = .now) -> Bool {
        let state = state
        defer { seen = state }
        changes = state == built ? 0 : changes + 1
        if changes > 0 { return state == seen || changes >= Self.mostChanges }
        return switch again {
        case .never: false
        case .onceTheArchiveIsGone: !isThere
        case .at(let time, _): now >= time
        }
    }

    /// Whether its archive is there.
    var isThere: Bool { (try? FileStatus(of: path)) != nil }

    /// Builds from the present recipe.
    /// - Parameter prepare: prepares the place of the archive.
    mutating func build(
        _ options: BuildOptions, _ progress: @escaping BuildRun.Progress,
        prepare: () throws(FileError) -> Void = {}
    ) throws -> BuildReport {
        built = state
        changes = 0
        do {
            try prepare()
            let report = try RecipeSource(of: inputs, arguments)
                .build(to: path, in: container, options, progress).run()
            again = .onceTheArchiveIsGone
            return report
        } catch {
            again = Self.isAboutThePlace(error) ? .at(.now + nextPause, pause: nextPause) : .never
            throw error
        }
    }

    private var nextPause: Duration {
        guard case .at(_, let pause) = again else { return Self.pauses.first }
        return min(pause * 2, Self.pauses.longest)
    }

    /// Whether a build could not write, so that the same inputs may do later.
    private static func isAboutThePlace(_ error: any Error) -> Bool {
        switch error {
        case ArchiveError.diskFull, ArchiveError.cannotWrite, JobError.cannotWrite,
            JobError.diskTooSmall:
            true
        default: error is FileError
        }
    }

    /// The present state of all files that are read, or why it is unknown.
    private var state: [String] {
        do {
            return try RecipeSource(of: inputs, arguments).build(to: path, BuildOptions())
                .inputStates
        } catch {
            return ["\(error)"]
        }
    }

    /// Whether a folder has files of points.
    static func hasPoints(inFolder path: String) -> Bool {
        PointSource.file(path).files.count > 1
    }

    /// Whether there are files that can be watched.
    static func canWatch(_ inputs: [String]) -> Bool { inputs.allSatisfy(PointSource.isFile) }
}
