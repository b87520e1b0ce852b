import Arguments
import Inspection
import JSON
import Platform
import PointInput
import Recipes
import Synchronization
import TileArchive
import Tileset

/// `covey update ARCHIVE CHANGES…`.
enum UpdateVerb: Verb {
    static let name = "update"
    static let summary = "updates an archive with added, changed and removed points"
    static let usage = "update ARCHIVE [CHANGES…] [options]"
    static let examples = [
        "update places.mbtiles today.geojson",
        "update places.pmtiles sold.csv --key ref --delete gone.txt --changes tiles.tsv",
    ]

    private static let output = Option<String?>(
        "output", short: "o", "OUT", "the archive to write (default: replace ARCHIVE)")
    private static let changes = Option<String?>(
        "changes", "FILE",
        "list the tiles that differ: z/x/y, a tab, and added, changed, removed or repacked"
    )
    private static let noRebuild = Option<Bool>(
        flag: "no-rebuild",
        "refuse changes that alter all tiles, such as a new deepest zoom")
    private static let layer = Option<String?>(
        "layer", short: "l", "NAME", "the layer to change, if there are several")
    private static let key = Option<String?>(
        "key", "ATTR", "the attribute that identifies points (default: their ids)")
    private static let delete = Option<String?>(
        "delete", "FILE", "points to remove: one line each, with an id or key; - is standard input")
    private static let deleteWhere = Option<String?>(
        "delete-where", "EXPRESSION",
        "remove points for which this MapLibre style expression is true")
    private static let deleteMark = Option(
        "delete-mark", "ATTR", "the attribute that is true in records of points to remove",
        default: "delete")

    private static let job = Option<String?>(
        "job", "DIR",
        "continue in this job (default: the one that keeps the archive's points, if any)")

    /// Options of `build` that say how changes are read.
    private static let reading = [
        "format", "encoding", "quotes", "x", "y", "crs", "table", "sql", "skip-invalid",
        "skip-non-points",
        "join", "regions", "points-from", "exclude", "reserved-names", "type", "nodata",
    ]

    static let syntax = VerbSyntax(
        operands: [
            .init("ARCHIVE", "an archive that was built with --keep-points"),
            .init(
                "CHANGES",
                "files of points, in any format of build: points with a known id are replaced, "
                    + "others are added", count: 0...1_000_000),
        ],
        groups: [
            .init(
                "points", key, delete, deleteWhere, deleteMark, layer,
                example: "covey update a.mbtiles b.csv --key ref --delete gone.txt"),
            .init(
                "output", output, BuildVerb.force, changes, noRebuild, FolderFlags.declarations,
                example: "covey update a.pmtiles b.csv --changes tiles.tsv"),
            .init(
                "input of changes",
                RecipeOptions.all.filter { reading.contains($0.flag.option.name) }
                    .map(\.option.declaration),
                example: "covey update a.mbtiles b.csv --x lng --y lat"),
            .init(
                "the run", BuildVerb.threads, BuildVerb.memory, BuildVerb.temporaryDirectory, job,
                BuildVerb.progress, BuildVerb.report, BuildVerb.json, BuildVerb.quiet,
                example: "covey update a.mbtiles b.csv --memory 8G --json"),
        ],
        common: ["key", "delete", "delete-where", "changes", "output", "quiet"])

    static func run(_ arguments: ParsedArguments, console: Console) throws {
        let archive = try Archive(path: arguments.operands[0])
        let path = arguments[output] ?? archive.path
        let container =
            try arguments[output].map { try ArchiveOutput.container(of: $0) } ?? archive.kind
        let request = try request(arguments, archive)
        let lists = [arguments[delete]].compactMap(\.self)
        for option in [changes, BuildVerb.report] {
            try ArchiveOutput.check(
                option, arguments,
                reads: request.sources + lists
                    + [TilesetUpdate.pointsFile(of: archive)].compactMap(\.self),
                outputs: container?.outputs(at: path) ?? [])
        }
        let list = arguments[changes].map(TileListFile.init)
        let run = BuildRun(arguments, console: console)
        let report = try run.perform { options, progress in
            var options = options
            options.otherInputs = lists
            options.folder = try FolderFlags.options(arguments, path: path)
            do {
                return try TilesetUpdate(
                    of: archive.path, request, to: path, in: container, options: options,
                    preview: { try list?.write($0) }, progress: progress
                ).run()
            } catch UpdateError.badExpression(let problem) {
                throw UsageError.unusable("--delete-where: \(problem)")
            }
        }
        let lines = lines(of: report)
        run.say(lines.joined(separator: "\n"), remarks: Array(lines.dropFirst()))
        if arguments[BuildVerb.quiet] { for warning in report.warnings { console.say(warning) } }
        try run.publish(report.build, json: report.json, path: path)
    }

    private static func request(
        _ arguments: ParsedArguments, _ archive: Archive
    ) throws -> UpdateRequest {
        var request = UpdateRequest()
        request.sources = Array(arguments.operands.dropFirst())
        request.layer = arguments[layer]
        request.identity = arguments[key].map(PointIdentity.attribute) ?? .id
        request.removalMark = arguments[deleteMark]
        request.keepsFacts = arguments[noRebuild]
        if let file = arguments[delete] {
            if file == "-", request.sources.contains(file) {
                throw UsageError.contradiction(
                    "CHANGES and --delete both read standard input",
                    remedy: "name a file for one of them")
            }
            request.deletions = try KeyList.keys(in: file)
        }
        request.leaves = try arguments[deleteWhere].map { text throws(UsageError) in
            guard let json = try? JSONValue(parsing: text) else {
                throw .unreadableValue(
                    option: "--delete-where", value: text, expected: "JSON: an array or true")
            }
            return json
        }
        if request.sources.isEmpty, !arguments.has(delete), request.leaves == nil {
            throw UsageError.missingArgument("CHANGES")
        }
        request.input = try input(
            arguments, of: archive, layer: request.layer, hasSources: !request.sources.isEmpty)
        return request
    }

    /// How changes are read: like the archive's points, except for options on the command line, and
    /// for those that apply to a single file.
    private static func input(
        _ arguments: ParsedArguments, of archive: Archive, layer: String?, hasSources: Bool
    ) throws -> InputRecipe? {
        let recipe = try TilesetUpdate.recipe(of: archive)
        let given = try RecipeOptions.given(in: arguments)
        let set = try Recipe(reading: JSONNode(Recipe.document(recipe.json, setting: given)))
        let isGiven = Set(given.map(\.flag.option.name))
        func isMeant(_ other: Recipe.Layer) -> Bool { other.name == layer ?? other.name }
        guard let own = recipe.layers.first(where: isMeant)?.input,
            var input = set.layers.first(where: isMeant)?.input
        else { return nil }
        // What the build left out stays left out.
        input.exclude += own.exclude.filter { !input.exclude.contains($0) }
        if input.reservedNames == .rename, own.reservedNames != .rename {
            throw UsageError.contradiction(
                "--reserved-names rename applies to all points",
                remedy: "build the archive again with it, or use --reserved-names drop here")
        }
        if hasSources { try checkNamed(input, isGiven) }
        if !isGiven.contains("format") { input.format = nil }
        if !isGiven.contains("sql"), !isGiven.contains("table") {
            (input.sql, input.table) = (nil, nil)
        }
        return input
    }

    /// An archive names the files beside its points, but not their folder.
    private static func checkNamed(_ input: InputRecipe, _ isGiven: Set<String>) throws {
        for (option, file) in [("join", input.join?.text), ("regions", input.regions)] {
            guard let file, !isGiven.contains(option), !file.hasPrefix("/"),
                PointSource.isFile(file)
            else { continue }
            throw UsageError.contradiction(
                "the archive was built with --\(option) \(file), and does not say from where that is seen",
                remedy: "name the file as it is seen from here, as --\(option) \(file)")
        }
    }

    /// The numbers in a line, and remarks.
    private static func lines(of report: UpdateReport) -> [String] {
        var parts = ["\(report.added.grouped) added", "\(report.replaced.grouped) replaced"]
        parts.append("\(report.removed.grouped) removed")
        if report.unknown > 0 {
            parts.append(
                "\(Quantity.text(report.unknown, "deletions")) of points that are not there")
        }
        if report.superseded > 0 {
            parts.append(
                "\(Quantity.text(report.superseded, "changes")) superseded by later ones")
        }
        if let tiles = report.build.changedTiles {
            parts.append("\(Quantity.text(tiles, "tiles")) changed in place")
        }
        var lines = [parts.joined(separator: ", ")]
        if report.changes.rejectedCount > 0 { lines.append(report.changes.account) }
        lines += report.changes.notes.map { "  " + $0 }
        if let job = report.pointsTaken {
            lines.append(
                "the points in \(job) are those of the new archive now: the old one cannot be updated any more"
            )
        }
        return lines
    }
}

/// A file with a list of the tiles that differ.
private struct TileListFile: Sendable {
    let path: String

    func write(_ preview: UpdatePreview) throws {
        var text = ""
        switch preview {
        case .archives(let old, let new):
            _ = try ChangedTiles.list(old, new) { text += ChangedTiles.line($0, $1) + "\n" }
        case .tiles(let tiles):
            for (tile, change) in tiles { text += ChangedTiles.line(tile, change) + "\n" }
        }
        try TextFile.write(text, to: path)
    }
}
