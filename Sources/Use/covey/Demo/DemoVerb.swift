import Arguments
import Recipes
import JSON
import TileArchive
import TileService
import Tileset

/// `covey demo`.
enum DemoVerb: Verb {
    static let name = "demo"
    static let summary = "makes a map of sample data and opens it"
    static let usage = "demo [-o OUT] [--force] [--port PORT] [--no-open]"
    static let examples = ["demo", "demo --no-open -o earthquakes.mbtiles"]

    private static let output = Option<String?>(
        "output", short: "o", "OUT", "keep the archive under this name")
    private static let port = Option(
        "port", short: "p", "PORT", "the port to serve at; 0 is any free one",
        default: 0)
    private static let noOpen = Option<Bool>(
        flag: "no-open", "print the address without opening the page")

    static let syntax = VerbSyntax(
        groups: [
            .init("the demo", output, BuildVerb.force, port, noOpen)
        ])

    static func run(_ arguments: ParsedArguments, console: Console) throws {
        let display = ProgressDisplay(console.isInteractive ? .auto : .none, console: console)
        let start = ContinuousClock.now
        let (folder, path, report) = try Interruption.stopping(
            console, clean: display.finish
        ) { interruption in
            let folder = try DemoFolder()
            let path = arguments[output] ?? folder.path("earthquakes.mbtiles")
            var options = BuildOptions.usual
            options.isCancelled = { interruption.isRequested }
            options.replacesExisting = arguments[BuildVerb.force]
            return (folder, path, try build(folder, to: path, options, display.show))
        }
        defer { folder.remove() }
        try Interruption.goOn()
        let points = report.layers.first?.points ?? 0
        console.say(
            "\(points.grouped) earthquakes in \(report.tileCount.grouped) tiles, "
                + "\(report.fileBytes.asBytes), in "
                + Quantity.seconds((ContinuousClock.now - start) / .seconds(1)))
        let words = ["--port", "\(arguments[port])", path]
        try ServeVerb.serve(
            [ServedPath(path: path, id: "earthquakes")], try ServeVerb.syntax.parse(words),
            console: console,
            ready: { address in
                if !arguments[noOpen] { Browser.open(address) }
                console.say(
                    "Ctrl-C ends it. With points of your own: covey build points.csv -o points.mbtiles"
                )
            }, end: { folder.remove() })
    }

    private static func build(
        _ folder: DemoFolder, to path: String, _ options: BuildOptions,
        _ progress: @escaping BuildRun.Progress
    ) throws -> BuildReport {
        var options = options
        options.sourceDirectory = folder.path
        let container = try ArchiveOutput.container(of: path)
        let text = try TextFile.read(folder.path(DemoFolder.recipe), upTo: RecipeFile.limit)
        let recipe = try Recipe(reading: JSONNode(try JSONValue(parsing: text)))
        return try TilesetBuild(
            recipe, to: path, in: container, options: options, progress: progress
        ).run()
    }
}
