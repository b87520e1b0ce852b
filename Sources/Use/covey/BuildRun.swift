import Arguments
import Tileset

/// Runs a build or a step of one: shows how far it is, stops it when it is interrupted, and tells what came
/// of it.
struct BuildRun {
    private let arguments: ParsedArguments
    private let console: Console
    private let remote: RemoteFiles?

    /// - Parameter remote: fetches files of the job that are not in its folder.
    init(_ arguments: ParsedArguments, console: Console, remote: RemoteFiles? = nil) {
        self.arguments = arguments
        self.console = console
        self.remote = remote
    }

    /// - Parameter work: returns what is to be told, if anything is.
    func run(
        _ work: (BuildOptions, @escaping @Sendable (BuildProgress) -> Void) throws -> BuildReport?
    ) throws {
        let interruption = Interruption(console: console)
        var options = try options()
        options.isCancelled = { interruption.isRequested }
        let style = arguments[BuildVerb.quiet] ? ProgressStyle.none : arguments[BuildVerb.progress]
        let display = ProgressDisplay(style, console: console)
        do {
            let result = try work(options) { display.show($0) }
            interruption.end()
            display.finish()
            if let result { try publish(result) }
        } catch {
            display.finish()
            guard interruption.isRequested else { throw error }
            interruption.end()
            throw Interrupted()
        }
    }

    private func options() throws -> BuildOptions {
        var options = BuildOptions()
        options.replacesExisting = arguments[BuildVerb.force]
        options.threads = arguments[BuildVerb.threads] ?? Machine.processorCount
        options.memory = arguments[BuildVerb.memory]?.bytes
        options.temporaryDirectory = arguments[BuildVerb.temporaryDirectory]
        options.generator = "covey \(version)"
        options.cells = try BuildVerb.cells(arguments)
        options.cells.remote = remote
        if let path = arguments[BuildVerb.output] {
            options.folder = FolderFlags.options(arguments, path: path)
        }
        return options
    }

    private func publish(_ result: BuildReport) throws {
        if arguments[BuildVerb.json] { console.print(result.json.text(.pretty)) }
        if !arguments[BuildVerb.quiet], let path = arguments[BuildVerb.output] {
            console.say(ReportTable(result, path: path).text)
        }
        // Last, for this is what may fail though the archive is there.
        if let file = arguments[BuildVerb.report] {
            try TextFile.write(result.json.text(.pretty) + "\n", to: file)
        }
    }
}
