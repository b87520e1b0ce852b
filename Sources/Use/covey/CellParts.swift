import Arguments
import JSON
import PointInput
import Recipes
import Tileset

/// The steps of `covey cells` for programs: points come in parts, cells are named one by one, and
/// results are printed as JSON.
extension CellsVerb {
    static let cells = Option<String?>(
        "cells", "NAMES",
        "only these cells, such as 5-17-11,5-17-12, with a line of JSON for each when done")
    static let parts = Option<String?>(
        "parts", "FILE", "use the parts that this file lists, one per line")
    static let cellMemory = Option<MemorySize?>(
        "cell-memory", "SIZE", "with --parts: cut the world so that no cell takes more memory")
    static let check = Option<Bool>(
        flag: "check", "with --parts: check all that needs no points, and plan nothing")
    static let inputName = Option<String?>(
        "input-name", "TEXT", "the name of the part in messages")
    static let ask = Option<Bool>(
        flag: "ask",
        "name files of the job on standard output before reading them, and wait for a line on standard input"
    )
    static let into = Option<String?>(
        "into", "LAYER", "the layer of the recipe that the part belongs to")

    /// Reads a part of the points from standard input, as an Arrow stream, and prints a report.
    static func read(
        _ inputs: [String], _ arguments: ParsedArguments, _ run: BuildRun, _ console: Console
    ) throws {
        let recipe = try RecipeSource(of: inputs.isEmpty ? ["-"] : inputs, arguments).recipe
        let layer = try layer(of: recipe, arguments[into])
        var source = PointSource.standardInput
        if let name = arguments[inputName] { source.name = name }
        try run.run { options, progress in
            let part = try TilesetBuild(recipe, to: "", options: options, progress: progress)
                .readPart(of: layer, from: source)
            console.print(part.json.text())
            return nil
        }
    }

    private static func layer(of recipe: Recipe, _ name: String?) throws -> Int {
        let names = recipe.layers.map(\.name)
        guard let name else {
            guard names.count == 1 else {
                throw UsageError.contradiction(
                    "the recipe has \(names.count) layers",
                    remedy: "name one with --into: \(names.joined(separator: ", "))")
            }
            return 0
        }
        guard let layer = names.firstIndex(of: name) else {
            throw UsageError.contradiction(
                "the recipe has no layer \(name)",
                remedy: "it has \(names.joined(separator: ", "))")
        }
        return layer
    }

    /// Gathers parts, plans their cells, or builds the archive from them in one piece.
    static func useParts(
        _ step: Step, _ inputs: [String], _ arguments: ParsedArguments, _ run: BuildRun,
        _ console: Console
    ) throws {
        guard let list = arguments[parts] else { throw UsageError.missingArgument("--parts FILE") }
        let path = arguments[BuildVerb.output] ?? ""
        if step == .whole, path.isEmpty { throw UsageError.missingArgument("-o OUT") }
        let recipe = try RecipeSource(of: inputs.isEmpty ? ["-"] : inputs, arguments).recipe
        let names = try TextFile.read(list, upTo: 1 << 28).split(separator: "\n").map(String.init)
        let memory = arguments[cellMemory]?.bytes
        try run.run { options, progress in
            if step == .gather {
                let gathered = try TilesetBuild(
                    recipe, to: "", options: options, progress: progress
                ).gatherParts(names, arguments[task]?.share)
                for part in gathered { console.print(part.json.text()) }
                return nil
            }
            if step == .whole {
                let report = try TilesetBuild(
                    recipe, to: path, in: try ArchiveOutput.container(of: path),
                    options: options, progress: progress
                ).runParts(names)
                if report == nil, !arguments[BuildVerb.quiet] {
                    console.complain(
                        "these points do not fit the memory, so nothing was built\n"
                            + "cut them with covey cells plan --parts \(list), or raise --memory"
                    )
                }
                return report
            }
            let build = TilesetBuild(recipe, to: "", options: options, progress: progress)
            try arguments[check]
                ? build.checkParts(names) : build.planParts(names, cellMemory: memory)
            return nil
        }
    }

    static func runNamed(
        _ step: Step, in folder: String, _ arguments: ParsedArguments, _ run: BuildRun,
        _ console: Console
    ) throws {
        let names = (arguments[cells] ?? "").split(separator: ",").map(String.init)
        try run.run { options, progress in
            let build = try CellBuild(in: folder, options: options, progress: progress)
            if step == .tiles {
                try build.tiles(named: names) { console.print($0.json.text()) }
            } else if step == .index {
                try build.index(named: names) { console.print($0.json.text()) }
            } else if try !build.cluster(named: names, tell: { console.print($0.json.text()) }) {
                console.print(JSONValue.object(["again": true]).text())
            }
            return nil
        }
    }

    /// The source of those files of a job that are not in its folder.
    static func remote(
        in folder: String, _ arguments: ParsedArguments, _ console: Console
    ) -> RemoteFiles? {
        arguments[ask] ? FileRequests(folder: folder, console: console).files : nil
    }

    static func printStatus(
        of folder: String, _ arguments: ParsedArguments, _ console: Console
    ) throws {
        var options = BuildOptions()
        options.cells.remote = remote(in: folder, arguments, console)
        let build = try CellBuild(in: folder, options: options)
        let status = try build.status()
        let left =
            ["cluster", "tiles", "index"].contains(status.next)
            ? try build.left(in: status.next) : []
        let json: JSONValue = [
            "points": .integer(Int64(status.points)),
            "cells": .integer(Int64(status.figures.cells)),
            "cut_zoom": .integer(Int64(status.figures.cutZoom)),
            "clustered": .integer(Int64(status.clustered)),
            "squares": .integer(Int64(status.squares)),
            "rounds": .integer(Int64(status.figures.rounds)),
            "top": .bool(status.isTopDone),
            "tiled": .integer(Int64(status.tiled)),
            "next": .string(status.next),
            "left": .array(
                left.map { [.string($0.cell), .integer(Int64($0.points))] }),
        ]
        console.print(json.text())
    }
}

extension PartReport {
    fileprivate var json: JSONValue {
        [
            "part": .string(part), "points": .integer(Int64(points)),
            "stretch": .array(
                stretch.map { [.integer(Int64($0.lowerBound)), .integer(Int64($0.upperBound))] }
                    ?? []),
            "passes": .integer(Int64(passes)),
            "records": .integer(Int64(report.records)), "kept": .integer(Int64(report.kept)),
            "rejected": .object(
                JSONObject(
                    report.rejected.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                        .init(key: $0.key.phrase, value: .integer(Int64($0.value)))
                    })),
            "samples": .array(report.samples.map { .string($0.description) }),
            "notes": .array(report.notes.map(JSONValue.string)),
        ]
    }
}

extension CellOutcome {
    fileprivate var json: JSONValue {
        [
            "cell": .string(cell), "new": .bool(isNew), "points": .integer(Int64(points)),
            "looked": .integer(Int64(loadedPoints)), "attempts": .integer(Int64(attempts)),
            "nodes": .integer(Int64(nodes)),
            "cuts": .array(
                cuts.map { [.integer(Int64($0.rank)), .integer(Int64($0.start))] }),
        ]
    }
}
