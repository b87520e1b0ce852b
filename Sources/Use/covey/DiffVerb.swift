import Arguments
import Inspection
import TileArchive

/// `covey diff A B`.
enum DiffVerb: Verb {
    static let name = "diff"
    static let summary = "shows what differs between two archives"
    static let usage = "diff A B [--json]"
    static let examples = ["diff old.mbtiles new.mbtiles", "diff old.mbtiles new.mbtiles --json"]

    static let json = Option(flag: "json", "the differences as JSON")
    static let syntax = VerbSyntax(
        operands: [.init("A", "an .mbtiles archive"), .init("B", "another one")],
        groups: [.init("Options", [json.declaration])])

    static func run(_ arguments: ParsedArguments, console: Console) throws {
        let paths = arguments.operands
        let archives = try paths.map { path in
            guard case .archive(let archive) = try Subject(path: path) else {
                throw InspectionError.otherFormat(path: path, name: "a single tile")
            }
            return archive
        }
        let difference = try ArchiveDifference(archives[0], archives[1])
        if arguments[json] {
            console.print(difference.json.text(.pretty))
        } else {
            for line in difference.lines { console.print(line) }
        }
        if !difference.isEmpty { throw ArchivesDiffer(a: paths[0], b: paths[1]) }
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
        return lines + (zooms.contains { $0.differs } ? table.lines : ["all tiles are the same"])
    }
}
