import Arguments
import JSON
import Platform
import TileArchive
import Tileset

/// Runs a build or a step of one: shows its progress, stops it when it is interrupted, and reports
/// the result.
struct BuildRun {
    private let arguments: ParsedArguments
    private let console: Console
    private let remote: RemoteFiles?
    private let display: ProgressDisplay

    /// - Parameter remote: fetches files of the job that are not in its folder.
    init(_ arguments: ParsedArguments, console: Console, remote: RemoteFiles? = nil) {
        self.arguments = arguments
        self.console = console
        self.remote = remote
        let style = arguments[BuildVerb.quiet] ? ProgressStyle.none : arguments[BuildVerb.progress]
        display = ProgressDisplay(style, console: console)
    }

    /// Says a text to people, and of it only the remarks to programs, which have the report.
    func say(_ text: String, remarks: [String]) {
        guard !arguments[BuildVerb.quiet] else { return }
        guard arguments[BuildVerb.progress] == .json else { return console.say(text) }
        for remark in remarks { display.note(String(remark.drop { $0 == " " })) }
    }

    typealias Progress = @Sendable (BuildProgress) -> Void

    /// - Parameter work: returns the report, if there is one.
    func run(_ work: (BuildOptions, @escaping Progress) throws -> BuildReport?) throws {
        guard let report = try perform(work) else { return display.end() }
        try publish(report, json: report.json, path: arguments[BuildVerb.output])
    }

    /// Runs the work and returns its result.
    func perform<Result>(
        _ work: (BuildOptions, @escaping Progress) throws -> Result
    ) throws -> Result {
        try Interruption.stopping(console, clean: display.finish) { interruption in
            var options = try options()
            options.isCancelled = { interruption.isRequested }
            return try work(options, display.show)
        }
    }

    private func options() throws -> BuildOptions {
        var options = BuildOptions.usual
        options.replacesExisting = arguments[BuildVerb.force]
        options.threads = arguments[BuildVerb.threads]?.number ?? options.threads
        options.memory = arguments[BuildVerb.memory]?.bytes
        options.temporaryDirectory =
            arguments[BuildVerb.temporaryDirectory] ?? Process.temporaryDirectory
        options.keepsPoints = arguments[BuildVerb.keepPoints]
        options.cells = try BuildVerb.cells(arguments)
        options.cells.remote = remote
        if let path = arguments[BuildVerb.output] {
            options.folder = try FolderFlags.options(arguments, path: path)
        }
        return options
    }

    /// Publishes the report.
    /// - Parameters:
    ///   - json: the whole report, for programs.
    ///   - path: the path of the archive, if there is one.
    func publish(_ report: BuildReport, json: JSONValue, path: String?) throws {
        // A quiet run need not open what it has written.
        guard
            !arguments[BuildVerb.quiet] || arguments[BuildVerb.json]
                || arguments.has(BuildVerb.report)
        else { return }
        var json = json.asObject ?? [:]
        let archive = path.flatMap { try? Archive(path: $0) }
        json["files"] = archive.map { archive in
            let points = TilesetUpdate.pointsFile(of: archive)
            return .array((archive.ownFiles + [points].compactMap(\.self)).map(JSONValue.string))
        }
        if arguments[BuildVerb.json] { console.print(JSONValue.object(json).text(.pretty)) }
        if let path {
            let table = ReportTable(
                report, files: archive?.ownFiles ?? [path],
                hasStatistics: archive?.metadata.tileStats != nil || archive == nil)
            say(table.text, remarks: table.remarks)
        }
        try write(.object(json))
        display.end()
    }

    private func write(_ json: JSONValue) throws(TextFile.NotWritten) {
        guard let file = arguments[BuildVerb.report] else { return }
        do throws(TextFile.NotWritten) {
            try TextFile.write(json.text(.pretty) + "\n", to: file)
        } catch {
            throw TextFile.NotWritten(
                path: file, reason: error.reason, done: "; all but this report is done")
        }
    }
}

extension Archive {
    /// The files or the folder that it is.
    var ownFiles: [String] { files.isEmpty ? [path] : files }
}

extension BuildOptions {
    /// The options without any on the command line.
    static var usual: BuildOptions {
        var options = BuildOptions()
        options.threads = Process.processorCount
        options.generator = "covey \(version)"
        return options
    }
}
