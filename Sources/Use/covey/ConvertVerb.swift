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
            .init("OUT", ArchiveOutput.help, count: 0...1),
        ],
        groups: [
            .init("output", BuildVerb.output, BuildVerb.force, FolderFlags.declarations),
            .init("tiles", minZoom, maxZoom, box),
            .init("the run", compression, BuildVerb.threads, json, BuildVerb.quiet),
        ],
        common: ["force", "min-zoom", "max-zoom", "bbox", "public-url", "quiet"])

    static func run(_ arguments: ParsedArguments, console: Console) throws {
        let outputs =
            Array(arguments.operands.dropFirst())
            + [arguments[BuildVerb.output]].compactMap(\.self)
        guard let output = outputs.first else { throw UsageError.missingArgument("OUT") }
        guard outputs.count == 1 else {
            throw UsageError.contradiction(
                "\(outputs[0]) and -o \(outputs[1]) are two outputs", remedy: "leave one out")
        }
        let work = try ConversionRun(arguments, to: output, console: console)
        try work.run { options, progress in
            try ArchiveConversion(
                Archive(path: arguments.operands[0]), to: output, in: work.container,
                options: options, progress: progress
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

    static func compressionLevel(_ arguments: ParsedArguments) throws(UsageError) -> Int? {
        guard let level = arguments[compression], !(0...12).contains(level) else {
            return arguments[compression]
        }
        throw .unreadableValue(option: "--compression", value: "\(level)", expected: "0 to 12")
    }
}
