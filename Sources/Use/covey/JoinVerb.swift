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
            .init("output", BuildVerb.output, BuildVerb.force, title, FolderFlags.declarations),
            .init("tiles", ConvertVerb.minZoom, ConvertVerb.maxZoom, ConvertVerb.compression),
            .init("the run", BuildVerb.threads, ConvertVerb.json, BuildVerb.quiet),
        ],
        common: ["output", "force", "name", "min-zoom", "max-zoom", "quiet"])

    static func run(_ arguments: ParsedArguments, console: Console) throws {
        guard let path = arguments[BuildVerb.output] else {
            throw UsageError.missingArgument("-o OUT")
        }
        let work = try ConversionRun(arguments, to: path, console: console)
        try work.run { options, progress in
            try ArchiveJoin(
                arguments.operands.map { try Archive(path: $0) }, to: path, in: work.container,
                name: arguments[title], options: options, progress: progress
            ).run()
        }
    }
}
