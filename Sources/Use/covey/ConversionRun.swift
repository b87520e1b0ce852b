import Arguments
import Conversion
import Inspection
import JSON
import Synchronization
import TileArchive

/// Runs a conversion or a join: shows its progress, stops it when it is interrupted, and reports
/// the result.
struct ConversionRun {
    let console: Console
    let output: String
    let isQuiet: Bool
    let json: Bool
    let container: any ArchiveContainer.Type
    let options: ConversionOptions

    init(_ arguments: ParsedArguments, to output: String, console: Console) throws {
        self.console = console
        self.output = output
        isQuiet = arguments[BuildVerb.quiet]
        json = arguments[ConvertVerb.json]
        container = try ArchiveOutput.container(of: output)
        var options = ConversionOptions()
        options.selection = TileSelection(
            zooms: try ConvertVerb.zooms(arguments), box: arguments[ConvertVerb.box]?.box)
        options.compression = try ConvertVerb.compressionLevel(arguments)
        options.threads = arguments.threadCount
        options.sink.replacesExisting = arguments[BuildVerb.force]
        options.sink.folder = try FolderFlags.options(arguments, path: output)
        self.options = options
    }

    func run(
        _ work: (
            ConversionOptions, @escaping @Sendable (_ done: Int, _ unit: String) -> Void
        ) throws -> ConversionReport
    ) throws {
        let line = Mutex(ProgressLine(console, isShown: !isQuiet && !json))
        let report = try Interruption.stopping(
            console, clean: { line.withLock { $0.clear() } }
        ) { interruption in
            var options = options
            options.isCancelled = { interruption.isRequested }
            return try work(options) { done, unit in
                line.withLock { $0.show("\(done.grouped) \(unit)") }
            }
        }
        tell(report)
    }

    private func tell(_ report: ConversionReport) {
        let archive = isQuiet && !json ? nil : try? Archive(path: output)
        let files = archive?.ownFiles ?? [output]
        if json {
            var object = report.json.asObject ?? [:]
            object["file_bytes"] = archive?.byteCount.map { .integer(Int64($0)) }
            object["files"] = .array(files.map(JSONValue.string))
            console.print(JSONValue.object(object).text(.pretty))
        } else if !isQuiet {
            var words = ["\(report.tiles.grouped) tiles, \(report.bytes.asBytes)"]
            if report.packedTiles > 0 { words.append("\(report.packedTiles.grouped) packed") }
            if report.rewrittenTiles > 0 {
                words.append("\(report.rewrittenTiles.grouped) written anew")
            }
            if report.clusters > 0 {
                words.append(Quantity.text(Int(report.clusters), "clusters") + " indexed")
            }
            console.say("\(files.joined(separator: ", ")): \(words.joined(separator: ", "))")
            for note in report.notes { console.say("  \(note)") }
        }
        if isQuiet {
            for warning in report.warnings { console.say("\(output): \(warning)") }
        }
    }
}
