import Arguments

/// The whole of the command line, as pages and completions show it.
enum Program {
    static let syntax = ProgramSyntax(
        "covey", version: version, summary: "bakes point clusters into vector tiles",
        description: [
            """
            Points go in (GeoJSON, CSV, GeoPackage, FlatGeobuf, GPX, SQLite, files or URLs); every \
            zoom is clustered; out comes one archive of Mapbox Vector Tiles, as MBTiles, PMTiles or a \
            folder, that any static host and any map client can use.
            """,
            """
            Data goes to standard output and words for people to standard error. A file named - is \
            standard input.
            """,
        ],
        exitCodes: [
            (0, "done"), (1, "bad data, or a check that failed"), (2, "a wrong line"),
            (130, "interrupted"),
        ],
        verbs: verbs.map { $0.description })
}

extension Verb {
    static var description: ProgramSyntax.Verb {
        .init(name, summary: summary, usage: usage, examples: examples, syntax: syntax)
    }
}
