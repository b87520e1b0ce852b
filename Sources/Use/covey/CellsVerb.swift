import Arguments
import Recipes
import TileArchive
import Tileset

/// `covey cells plan|cluster|top|tiles|index|merge|status`, and `read` if points come in parts.
enum CellsVerb: Verb {
    static let name = "cells"
    static let summary = "builds in steps that share a folder, on any number of machines"
    static let usage = """
        cells plan INPUT…|--parts FILE --job DIR [options of build]
               covey cells read|gather --job DIR [options of build]
               covey cells cluster|tiles|index --job DIR [--task I/N]
               covey cells top|status --job DIR
               covey cells merge --job DIR -o OUT [--task I/N]
        """
    static let examples = [
        "cells plan places.csv --job job --cluster-radius 40 --max-zoom 14",
        "cells cluster --job job --task 1/4",
    ]

    static let task = Option<TaskShare?>("task", "I/N", "do one of N equal parts of the work")

    static let syntax = VerbSyntax(
        operands: [
            .init("read|gather|plan|whole|cluster|top|tiles|index|merge|status", "which step"),
            .init("INPUT", "what to build, for plan; for read, a recipe", count: 0...1_000_000),
        ],
        groups: [
            .init(
                "all steps", BuildVerb.job, BuildVerb.threads, BuildVerb.progress, BuildVerb.quiet),
            .init("gather, cluster, tiles, index, merge", task),
            .init("cluster, tiles, index", cells),
            .init("all but read", ask),
            .init("read", inputName, into),
            .init(
                "merge, whole", BuildVerb.output, BuildVerb.force, BuildVerb.report, BuildVerb.json,
                FolderFlags.declarations),
            .init(
                "plan", BuildVerb.cellZoom, BuildVerb.cellMargin, BuildVerb.temporaryDirectory,
                cellMemory, check),
            .init("merge", layOut, bytes),
            .init("gather, plan, whole", parts),
            .init("plan, whole", BuildVerb.memory),
            .init("plan: about", RecipeOptions.about),
            .init("plan: input", BuildVerb.layer, BuildVerb.namedLayer, RecipeOptions.input),
            .init("plan: tiles", RecipeOptions.tiles),
            .init("plan: clusters", BuildVerb.noClusters, RecipeOptions.clusters),
        ],
        common: ["job", "task", "output"], phrasebook: Tippecanoe.phrasebook)

    enum Step: String, CaseIterable {
        case read, gather, plan, whole, cluster, top, tiles, index, merge, status
    }

    static func run(_ arguments: ParsedArguments, console: Console) throws {
        let step = try Step(firstOf: arguments, of: name)
        guard let folder = arguments[BuildVerb.job] else {
            throw UsageError.missingArgument("--job DIR")
        }
        try refuseOptions(idleIn: step, arguments)
        let inputs = Array(arguments.operands.dropFirst())
        if step == .status {
            return try arguments[BuildVerb.json]
                ? printStatus(of: folder, arguments, console) : tellStatus(of: folder, console)
        }
        let run = BuildRun(
            arguments, console: console, remote: remote(in: folder, arguments, console))
        if step == .read { return try read(inputs, arguments, run, console) }
        if step == .gather || step == .whole || step == .plan && arguments.has(parts) {
            return try useParts(step, inputs, arguments, run, console)
        }
        if arguments.has(cells) { return try runNamed(step, in: folder, arguments, run, console) }
        if step == .plan { return try plan(inputs, arguments, run, console) }
        let way = step == .merge ? try MergeWay(arguments) : nil
        try run.run { options, progress in
            let cells = try CellBuild(in: folder, options: options, progress: progress)
            switch step {
            case .cluster: try cells.cluster(arguments[task]?.share)
            case .top: try cells.top()
            case .tiles: try cells.tiles(arguments[task]?.share)
            case .index: try cells.index(arguments[task]?.share)
            case .merge: return try way.flatMap { try merge(cells, $0, console) }
            case .read, .gather, .plan, .whole, .status: break
            }
            return nil
        }
        if step != .merge, !arguments[BuildVerb.quiet] { try tellStatus(of: folder, console) }
    }

    private static func plan(
        _ inputs: [String], _ arguments: ParsedArguments, _ run: BuildRun, _ console: Console
    ) throws {
        guard !inputs.isEmpty || arguments.has(BuildVerb.namedLayer) else {
            throw UsageError.missingArgument("INPUT")
        }
        let source = try RecipeSource(of: inputs, arguments)
        try run.run { options, progress in
            try source.build(to: "", options, progress).planCells()
            return nil
        }
        if !arguments[BuildVerb.quiet], let folder = arguments[BuildVerb.job] {
            try tellStatus(of: folder, console)
        }
    }

    /// Refuses options that have no effect on the step.
    private static func refuseOptions(idleIn step: Step, _ arguments: ParsedArguments) throws {
        var idle: [String] = []
        func refuse(_ options: any OptionDeclaring..., unless isOwn: Bool) {
            if !isOwn { idle += arguments.given(among: options) }
        }
        let takesParts = step == .gather || step == .plan || step == .whole
        let takesPoints = takesParts || step == .read
        let makesArchive = step == .merge || step == .whole
        let sharesWork = step == .cluster || step == .tiles || step == .index
        refuse(task, unless: sharesWork || step == .gather || step == .merge)
        refuse(cells, unless: sharesWork)
        refuse(bytes, layOut, unless: step == .merge)
        refuse(inputName, into, unless: step == .read)
        refuse(ask, unless: step != .read)
        refuse(parts, unless: takesParts)
        refuse(cellMemory, check, unless: step == .plan && arguments.has(parts))
        refuse(BuildVerb.output, BuildVerb.report, BuildVerb.force, unless: makesArchive)
        refuse(BuildVerb.json, unless: makesArchive || step == .status)
        refuse(BuildVerb.memory, unless: takesPoints)
        refuse(BuildVerb.cellZoom, BuildVerb.cellMargin, unless: step == .plan)
        refuse(BuildVerb.layer, unless: takesPoints)
        refuse(BuildVerb.namedLayer, unless: step == .plan)
        refuse(
            BuildVerb.noClusters, RecipeOptions.all.map(\.option.declaration), unless: takesPoints)
        if let name = idle.first {
            throw UsageError.contradiction(
                "covey cells \(step.rawValue) has no use for --\(name)", remedy: "leave it out")
        }
        if !takesPoints, arguments.operands.count > 1 {
            throw UsageError.extraArgument(arguments.operands[1])
        }
    }

    private static func tellStatus(of folder: String, _ console: Console) throws {
        let status = try CellBuild(in: folder, options: BuildOptions()).status()
        let figures = status.figures
        console.print(
            """
            \(folder): \(status.points.grouped) points in \(Quantity.text(figures.cells, "cells")), cut at zoom \
            \(figures.cutZoom)
              cluster  \(status.clustered) of \(status.squares)\(
                figures.clustered > 0 ? "; " + figures.text : "")
              top      \(status.isTopDone ? "done" : "not done")
              tiles    \(status.tiled) of \(status.squares)
              index    \(status.indexed.map { "\($0.done) of \($0.all)" } ?? "not begun")
            next: covey cells \(status.next) --job \(folder)
            """)
    }
}

/// `I/N` on the command line.
struct TaskShare: ArgumentValue {
    let share: CellBuild.Share

    init(argument: String) throws(ValueError) {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let task = Int(parts[0]), let count = Int(parts[1]),
            let share = CellBuild.Share(task, of: count)
        else { throw ValueError(expected: "a task and how many there are, as 1/4") }
        self.share = share
    }
}
