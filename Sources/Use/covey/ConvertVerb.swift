import Arguments
import Conversion
import TileArchive

/// `covey convert IN OUT`.
enum ConvertVerb: Verb {
    static let name = "convert"
    static let summary = "converts an archive, or some of its tiles, to another container"
    static let usage = "convert IN OUT [options]"
    static let examples = [
        "convert places.mbtiles places/",
        "convert world.mbtiles alps.mbtiles --bbox 5.9,45.8,10.5,47.8 --max-zoom 10",
    ]

    static let minZoom = Option<Int?>("min-zoom", "Z", "leave out shallower zooms")
    static let maxZoom = Option<Int?>("max-zoom", "Z", "leave out deeper zooms")
    static let box = Option<BoxArgument?>(
        "bbox", "W,S,E,N", "only tiles that touch the box; the index of clusters is left out")
    static let compression = Option<Int?>(
        "compression", "0-12", "how hard to compress tiles that are not gzip yet")
    static let json = Option<Bool>(flag: "json", "print the result as JSON")

    static let syntax = VerbSyntax(
        operands: [
            .init("IN", "an archive, made by covey or another program"),
            .init(
                "OUT",
                "the archive to write: a name that ends in .mbtiles or .pmtiles, or in / for a folder"
            ),
        ],
        groups: [
            .init("output", [BuildVerb.force.declaration] + FolderFlags.declarations),
            .init("tiles", [minZoom.declaration, maxZoom.declaration, box.declaration]),
            .init(
                "the run",
                [
                    compression.declaration, BuildVerb.threads.declaration, json.declaration,
                    BuildVerb.quiet.declaration,
                ]),
        ],
        common: ["force", "min-zoom", "max-zoom", "bbox", "public-url", "quiet"])

    static func run(_ arguments: ParsedArguments, console: Console) throws {
        let (input, output) = (arguments.operands[0], arguments.operands[1])
        let container = try ArchiveOutput.container(of: output)
        let zooms = try zooms(arguments)
        var options = ConversionOptions()
        options.selection = TileSelection(zooms: zooms, box: arguments[box]?.box)
        options.compression = try arguments.compression(compression)
        options.threads = arguments[BuildVerb.threads]?.number ?? Machine.processorCount
        options.sink.replacesExisting = arguments[BuildVerb.force]
        options.sink.folder = try FolderFlags.options(arguments, path: output)
        let work = ConversionRun(
            console: console, output: output, isQuiet: arguments[BuildVerb.quiet],
            json: arguments[json])
        try work.run(options) { options, progress in
            try ArchiveConversion(
                Archive(path: input), to: output, in: container, options: options,
                progress: progress
            ).run()
        }
    }

    static func zooms(_ arguments: ParsedArguments) throws(UsageError) -> ClosedRange<Int> {
        for (option, zoom) in [
            ("--min-zoom", arguments[minZoom]), ("--max-zoom", arguments[maxZoom]),
        ] {
            guard let zoom, !(0...31).contains(zoom) else { continue }
            throw .unreadableValue(option: option, value: "\(zoom)", expected: "0 to 31")
        }
        let least = arguments[minZoom] ?? 0
        let most = arguments[maxZoom] ?? 31
        guard least <= most else {
            throw .contradiction(
                "--min-zoom \(least) is deeper than --max-zoom \(most)",
                remedy: "name the shallower zoom first")
        }
        return least...most
    }
}

extension ParsedArguments {
    /// The compression level of an option; throws if it is not valid.
    func compression(_ option: Option<Int?>) throws(UsageError) -> Int? {
        guard let level = self[option], !(0...12).contains(level) else { return self[option] }
        throw .unreadableValue(option: "--compression", value: "\(level)", expected: "0 to 12")
    }
}
