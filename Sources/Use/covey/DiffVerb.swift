import Arguments
import Inspection
import TileArchive

/// `covey diff A B`.
enum DiffVerb: Verb {
    static let name = "diff"
    static let summary = "shows what differs between two archives"
    static let usage = "diff A B [--tiles] [--json]"
    static let examples = [
        "diff old.mbtiles new.mbtiles", "diff old.pmtiles new.pmtiles --tiles > changes.tsv",
    ]

    static let tiles = Option(
        flag: "tiles",
        "a line for each tile that B adds, changes, removes or only repacks: z/x/y, a tab and the "
            + "word")
    static let json = Option(
        flag: "json", "the differences as JSON; with --tiles, one object per line")
    static let syntax = VerbSyntax(
        operands: [.init("A", "an archive"), .init("B", "another one")],
        groups: [.init("Options", tiles, json)])

    /// As of `diff` and `cmp`: 1 says that the archives differ.
    static let failure = ExitCode.badUsage

    static func run(_ arguments: ParsedArguments, console: Console) throws {
        let paths = arguments.operands
        let archives = try paths.map { path in
            guard case .archive(let archive) = try Subject(path: path) else {
                throw InspectionError.otherFormat(path: path, name: "a single tile")
            }
            return archive
        }
        let difference =
            arguments[tiles]
            ? try list(archives[0], archives[1], asJSON: arguments[json], console)
            : try ArchiveDifference(archives[0], archives[1])
        if arguments[tiles] {
            // Only the tiles were asked for.
        } else if arguments[json] {
            console.print(difference.json.text(.pretty))
        } else {
            console.show(difference.lines)
        }
        if !difference.isEmpty { throw ArchivesDiffer(a: paths[0], b: paths[1]) }
    }
}

extension DiffVerb {
    /// Prints each tile that differs, as it is found.
    private static func list(
        _ a: Archive, _ b: Archive, asJSON: Bool, _ console: Console
    ) throws -> ArchiveDifference {
        try ChangedTiles.list(a, b) { tile, change in
            console.print(
                asJSON
                    ? "{\"tile\":\"\(tile)\",\"change\":\"\(change)\"}"
                    : ChangedTiles.line(tile, change))
        }
    }
}

/// The end of a comparison that found differences.
struct ArchivesDiffer: Error, CustomStringConvertible {
    let a: String
    let b: String

    var description: String { "\(a) and \(b) differ" }
}

extension ArchiveDifference {
    fileprivate var lines: [String] {
        guard !isEmpty else { return ["no difference"] }
        var lines: [String] = []
        for row in rows {
            lines.append("metadata \(row.name)")
            lines.append("  A \(row.a ?? "–")".cut(to: AlignedTable.lineWidth))
            lines.append("  B \(row.b ?? "–")".cut(to: AlignedTable.lineWidth))
        }
        var table = AlignedTable([
            .init("zoom"), .init("same"), .init("repacked"), .init("changed"), .init("only A"),
            .init("only B"), .init("features A"), .init("features B"), .init("first", .left),
        ])
        for zoom in zooms {
            table.add([
                "\(zoom.zoom)", zoom.sameTiles.grouped, zoom.repackedTiles.grouped,
                zoom.changedTiles.grouped, zoom.onlyInA.grouped, zoom.onlyInB.grouped,
                zoom.featuresOnlyInA.grouped, zoom.featuresOnlyInB.grouped,
                zoom.first?.description ?? "",
            ])
        }
        lines += zooms.contains { $0.differs } ? table.lines : ["all tiles are the same"]
        for (side, path) in [("A", \Zoom.unreadableInA), ("B", \Zoom.unreadableInB)] {
            let count = zooms.reduce(0) { $0 + $1[keyPath: path] }
            guard count > 0 else { continue }
            lines.append(
                "\(Quantity.text(count, "tiles")) of \(side) cannot be read; covey verify says why")
        }
        return lines
    }
}
