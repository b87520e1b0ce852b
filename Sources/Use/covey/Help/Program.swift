import Arguments
import PointInput
import TileArchive

/// The whole command line, for manual pages and completions.
enum Program {
    static let syntax = ProgramSyntax(
        "covey", version: version, summary: "bakes point clusters into vector tiles",
        description: [
            """
            Points go in (\(formats), in files or from URLs); every zoom is clustered; out comes one \
            archive of Mapbox Vector Tiles (\(containers)) that any static host and any map client can \
            use.
            """,
            """
            Data goes to standard output and messages to standard error. A file named - is \
            standard input.
            """,
        ],
        exitCodes: [
            (0, "done"), (1, "bad data, a check that failed, or output that can't be written"),
            (2, "a bad command line"),
            (130, "interrupted"),
        ],
        verbs: verbs.map { $0.description })

    private static let formats = InputFormat.allCases.map(\.title).joined(separator: ", ")
    private static let containers = ArchiveContainers.all.map { $0.name }.joined(separator: ", ")
}

extension Verb {
    static var description: ProgramSyntax.Verb {
        .init(name, summary: summary, usage: usage, examples: examples, syntax: syntax)
    }
}
