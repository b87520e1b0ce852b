import Arguments
import Platform
import PointInput
import TileArchive
import Tileset

/// A build that is repeated whenever its inputs have changed.
struct LiveBuild {
    let inputs: [String]
    let path: String
    let container: any ArchiveContainer.Type
    let arguments: ParsedArguments
    /// The inputs of the last build, in their state before it.
    private var built: [String] = []
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

    /// Whether to build again: the inputs have changed, and have stopped changing or have not stopped for long.
    mutating func isDue() -> Bool {
        let state = state
        defer { seen = state }
        changes = state == built ? 0 : changes + 1
        return changes > 0 && (state == seen || changes >= Self.mostChanges)
    }

    /// Builds from the present recipe.
    mutating func build(
        _ options: BuildOptions, _ progress: @escaping BuildRun.Progress
    ) throws -> BuildReport {
        // If it fails, the next try waits for another change.
        built = state
        changes = 0
        return try RecipeSource(of: inputs, arguments)
            .build(to: path, in: container, options, progress).run()
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
