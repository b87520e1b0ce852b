import Arguments
import Platform
import PointInput
import Recipes
import TileArchive
import Tileset

/// `covey build INPUT… -o OUT`.
enum BuildVerb: Verb {
    static let name = "build"
    static let summary = "points in, clustered vector tiles out"
    static let usage = "build INPUT… -o OUT [options]"
    static let examples = [
        "build places.geojson -o places.mbtiles --cluster-radius 40",
        "build tilesets/earthquakes.json -o earthquakes.mbtiles --force",
    ]

    static let output = Option<String?>(
        "output", short: "o", "OUT", ArchiveOutput.help)
    static let force = Option<Bool>(
        flag: "force", short: "f", "replace an existing archive at the end")
    static let keepPoints = Option<Bool>(
        flag: "keep-points",
        "keep the points beside the archive, or in --job, so that covey update can change them")
    static let watch = Option<Bool>(
        flag: "watch", "build again whenever inputs change, until Ctrl-C")
    static let layer = Option<String?>(
        "layer", short: "l", "NAME",
        "the layer for all inputs (default: one per input, named after its file)")
    static let namedLayer = Option<[NamedLayer]>(
        repeated: "named-layer", short: "L", "NAME:FILE", "put this input into a layer of this name"
    )
    static let noClusters = Option<Bool>(
        flag: "no-clusters",
        "no clusters: draw all points at every zoom, or with --bins at all zooms past those of bins"
    )
    static let threads = Option<ThreadCount?>(
        "threads", "N", "threads to use (default: all processors)")
    static let memory = Option<MemorySize?>(
        "memory", "SIZE",
        "the most memory to use, such as 8G (default: three quarters of what there is)")
    static let temporaryDirectory = Option<String?>(
        "temp-dir", "DIR", "where temporary files go (default: TMPDIR, or /tmp)")
    static let job = Option<String?>(
        "job", "DIR", "cut the world into cells and keep their files there")
    static let cellZoom = Option<Int?>(
        "cell-zoom", "Z", "cut the world into cells of this zoom, 0 to 11")
    static let cellMargin = Option<Double?>(
        "cell-margin", "RADII", "how far around a cell to look at first, in cluster radii")
    static let progress = Option(
        "progress", "auto|plain|json|none", "how progress is shown", default: ProgressStyle.auto)
    static let report = Option<String?>("report", "FILE", "write the report as JSON")
    static let json = Option<Bool>(flag: "json", "print the report as JSON")
    static let quiet = Option<Bool>(
        flag: "quiet", short: "q", "say nothing unless something is wrong")

    static let syntax = VerbSyntax(
        operands: [
            .init(
                "INPUT",
                "files of points, folders of them, URLs, - for standard input, or a recipe",
                count: 0...1_000_000)
        ],
        groups: [
            .init(
                "output", output, force, keepPoints, watch, FolderFlags.declarations,
                RecipeOptions.about,
                example: "covey build a.csv -o a.pmtiles --name \"Inns\" --attribution \"© us\""),
            .init(
                "input", layer, namedLayer, RecipeOptions.input,
                example: "covey build a.csv -o a.mbtiles --x lng --y lat --include name,price"),
            .init(
                "tiles", RecipeOptions.tiles,
                example: "covey build a.csv -o a.mbtiles --max-zoom 12 --max-tile-bytes 200000"),
            .init(
                "clusters", noClusters, RecipeOptions.clusters,
                example: "covey build a.csv -o a.mbtiles --cluster-radius 40 --aggregate "
                    + "mean_price=mean:price"),
            .init(
                "the run", threads, memory, temporaryDirectory, job, cellZoom, cellMargin, progress,
                report, json, quiet,
                example: "covey build a.csv -o a.mbtiles --memory 8G --report a.json --quiet"),
        ],
        common: [
            "output", "force", "layer", "filter", "max-zoom", "cluster-radius", "aggregate",
        ],
        phrasebook: Tippecanoe.phrasebook)

    static func run(_ arguments: ParsedArguments, console: Console) throws {
        let operands = try BuildInputs.inputs(arguments)
        guard let path = arguments[output] else {
            throw BuildInputs.missingOutput(operands)
        }
        let source = try RecipeSource(of: operands, arguments)
        let inputs = source.recipe.layers.flatMap { $0.sources.map { source.path(of: $0) } }
        // An output that is an input is reported before an unknown ending of its name.
        if path != "-" { try KeptFiles(inputs + source.files).check(path) }
        let container = try ArchiveOutput.container(of: path)
        _ = try jobFolder(arguments, apartFrom: path)
        try ArchiveOutput.check(
            report, arguments, reads: inputs + source.files, outputs: container.outputs(at: path))
        if arguments[watch] {
            var build = try BuildWatch(
                LiveBuild(of: operands, to: path, in: container, arguments), arguments,
                console: console)
            try build.run()
        }
        try BuildRun(arguments, console: console).run { options, progress in
            do {
                return try source.build(to: path, in: container, options, progress).run()
            } catch let error as RecipeError {
                throw source.files.first.map(error.named) ?? error.withOptions
            } catch InputError.unsupportedCRS("--crs", let name, let fault) {
                // What a recipe says is no option.
                let isOption = try RecipeOptions.given(in: arguments).contains {
                    $0.flag.key == "crs"
                }
                let file = isOption ? nil : source.files.first
                throw InputError.unsupportedCRS(
                    input: file.map { "\($0): crs" } ?? "--crs", name: name, fault)
            } catch let error as InputError {
                throw LayerInputError(error, in: source) ?? error as any Error
            }
        }
    }

    /// The options for cutting the world.
    static func cells(_ arguments: ParsedArguments) throws -> CellOptions {
        var cells = CellOptions()
        cells.zoom = arguments[cellZoom]
        cells.margin = arguments[cellMargin]
        cells.folder = try jobFolder(arguments)
        if let zoom = cells.zoom, !(0...11).contains(zoom) {
            throw UsageError.contradiction(
                "--cell-zoom \(zoom) is no zoom of cells", remedy: "use 0 to 11")
        }
        if let margin = cells.margin, !(margin >= 0 && margin.isFinite) {
            throw UsageError.contradiction(
                "--cell-margin \(margin) is no margin", remedy: "use 0 or more")
        }
        return cells
    }

    /// The folder of the job, which is made if the folder that it goes into is there.
    /// - Parameter output: the path of an archive that it must not be.
    static func jobFolder(
        _ arguments: ParsedArguments, apartFrom output: String? = nil
    ) throws -> String? {
        guard let folder = arguments[job] else { return nil }
        func plain(_ path: String) -> String {
            let end = path.lastIndex { $0 != "/" }.map { path.index(after: $0) }
            return Directory.resolvingDirectory(of: String(path[..<(end ?? path.endIndex)]))
        }
        let (directory, _) = Directory.split(plain(folder))
        let status = try? FileStatus(of: folder)
        let isPossible =
            status.map { $0.kind == .directory }
            ?? ((try? FileStatus(of: directory))?.kind == .directory)
        guard isPossible else {
            throw UsageError.contradiction(
                status == nil
                    ? "--job \(folder): \(directory) is no folder" : "--job \(folder) is a file",
                remedy: "name a folder, or one that can be made in a folder that is there")
        }
        if let output, plain(output) == plain(folder) {
            throw UsageError.contradiction(
                "--job and -o are both \(folder)", remedy: "name a folder of its own with --job")
        }
        return folder
    }
}
