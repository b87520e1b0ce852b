import Arguments
import Conversion
import TileArchive

/// `covey join A B … -o OUT`.
enum JoinVerb: Verb {
    static let name = "join"
    static let summary = "combines the layers of several archives into one"
    static let usage = "join A B … -o OUT [options]"
    static let examples = [
        "join cafes.mbtiles stations.mbtiles -o city.mbtiles",
        "join a.mbtiles b.mbtiles -o both/ --name \"All places\" --max-zoom 10",
    ]

    private static let title = Option<String?>("name", "TEXT", "the name of the archive")

    static let syntax = VerbSyntax(
        operands: [.init("ARCHIVE", "archives of vector tiles, at least two", count: 2...1_000)],
        groups: [
            .init(
                "output",
                [BuildVerb.output.declaration, BuildVerb.force.declaration, title.declaration]
                    + FolderFlags.declarations),
            .init(
                "tiles",
                [
                    ConvertVerb.minZoom.declaration, ConvertVerb.maxZoom.declaration,
                    ConvertVerb.compression.declaration,
                ]),
            .init(
                "the run",
                [
                    BuildVerb.threads.declaration, ConvertVerb.json.declaration,
                    BuildVerb.quiet.declaration,
                ]),
        ],
        common: ["output", "force", "name", "min-zoom", "max-zoom", "quiet"])

    static func run(_ arguments: ParsedArguments, console: Console) throws {
        guard let path = arguments[BuildVerb.output] else {
            throw UsageError.missingArgument("-o OUT")
        }
        let container = try ArchiveOutput.container(of: path)
        var options = ConversionOptions()
        options.selection = TileSelection(zooms: try ConvertVerb.zooms(arguments))
        options.compression = try arguments.compression(ConvertVerb.compression)
        options.threads = arguments[BuildVerb.threads]?.number ?? Machine.processorCount
        options.sink.replacesExisting = arguments[BuildVerb.force]
        options.sink.folder = try FolderFlags.options(arguments, path: path)
        let work = ConversionRun(
            console: console, output: path, isQuiet: arguments[BuildVerb.quiet],
            json: arguments[ConvertVerb.json])
        try work.run(options) { options, progress in
            try ArchiveJoin(
                arguments.operands.map { try Archive(path: $0) }, to: path, in: container,
                name: arguments[title], options: options, progress: progress
            ).run()
        }
    }
}
