import Arguments
import Geometry
import Inspection
import TileArchive

/// `covey inspect FILE [Z/X/Y]`.
enum InspectVerb: Verb {
    static let name = "inspect"
    static let summary = "shows what an archive or a tile holds"
    static let usage = "inspect FILE [Z/X/Y] [OPTION]…"
    static let examples = ["inspect places.mbtiles", "inspect places.mbtiles 4/8/5 --geojson"]

    static let json = Option(flag: "json", "the same figures as JSON")
    static let position = Option<PositionArgument?>(
        "at", "LON,LAT", "the tile that holds this position, with --zoom")
    static let first = Option(
        "first", "N", "how many features of each layer to show", default: 5)
    static let geojson = Option(
        flag: "geojson", "the features as GeoJSON; for a whole archive, those of one --zoom")
    static let tileCoordinates = Option(
        flag: "tile-coordinates", "with --geojson: positions in the tile's own grid")
    static let raw = Option(flag: "raw", "the tile's bytes as they are stored")
    static let inflate = Option(flag: "inflate", "the tile's bytes, inflated")
    static let list = Option(flag: "list", "a line for each tile: z, x, y, bytes")
    static let nodes = Option(
        flag: "nodes", "a line for each point and cluster of one --zoom: count, position, id")
    static let heaviest = Option<Int?>("heaviest", "N", "the N largest tiles")
    static let zoom = Option<ZoomArgument?>("zoom", "Z[-Z]", "only these zooms")
    static let box = Option<BoxArgument?>("box", "W,S,E,N", "with --list: only tiles in this box")
    static let threads = Option<ThreadCount?>(
        "threads", "N", "how many threads decode tiles (default: all processors)")

    static let syntax = VerbSyntax(
        operands: [
            .init("FILE", "an archive, a tile (gzip or not), or - for a tile"),
            .init("Z/X/Y", "a tile of the archive", count: 0...1),
        ],
        groups: [
            .init("One tile", position, first, tileCoordinates, raw, inflate),
            .init("The whole archive", list, nodes, heaviest, zoom, box, threads),
            .init("Both", json, geojson),
        ],
        common: ["at", "zoom", "geojson", "list", "nodes", "heaviest", "json"])

    static let onlyPrints = true

    static func run(_ arguments: ParsedArguments, console: Console) throws {
        let output = try output(arguments)
        let path = arguments.operands[0]
        let tile = try wantedTile(arguments)
        switch try Subject(path: path) {
        case .tile(let loose):
            try refuseIdle(arguments, ofTile: true, output)
            let report = TileReport(of: loose.stored, tile: tile)
            try TileView(report: report, path: path, arguments: arguments).show(on: console)
        case .archive(let archive):
            try refuseIdle(arguments, ofTile: tile != nil, output)
            if let tile {
                let report = try TileReport(tile, of: archive)
                try TileView(report: report, path: path, arguments: arguments).show(on: console)
            } else {
                try ArchiveView(archive: archive, arguments: arguments).show(on: console)
            }
        }
    }

    /// The tile that the command line names, by its numbers or by a position.
    private static func wantedTile(_ arguments: ParsedArguments) throws -> TileID? {
        if let position = arguments[position]?.position {
            guard let zooms = arguments[zoom]?.zooms, zooms.count == 1 else {
                throw UsageError.contradiction(
                    "--at names a position, but not at which zoom", remedy: "add --zoom Z")
            }
            return TileID(holding: WorldPoint(position), zoom: UInt8(zooms.lowerBound))
        }
        guard arguments.operands.count > 1 else { return nil }
        let word = arguments.operands[1]
        do {
            return try TileArgument(argument: word).tile
        } catch {
            throw UsageError.unreadableValue(
                option: "Z/X/Y", value: word, expected: error.expected)
        }
    }

    /// The kind of output that is asked for; nil means text.
    private static func output(_ arguments: ParsedArguments) throws(UsageError) -> String? {
        let given = arguments.given(among: [json, geojson, raw, inflate, list, nodes, heaviest])
        if given.count > 1 {
            throw .contradiction(
                "--\(given[0]) and --\(given[1]) are two kinds of output", remedy: "leave one out")
        }
        if arguments[position] != nil, arguments.operands.count > 1 {
            throw .contradiction(
                "--at and \(arguments.operands[1]) both name a tile", remedy: "leave one out")
        }
        return given.first
    }

    /// Refuses options that have no effect on what is shown.
    private static func refuseIdle(
        _ arguments: ParsedArguments, ofTile isTile: Bool, _ output: String?
    ) throws(UsageError) {
        if isTile, !arguments.given(among: [list, nodes, heaviest]).isEmpty {
            throw .contradiction(
                "--list, --nodes and --heaviest are for a whole archive",
                remedy: "leave the tile out")
        }
        if !isTile, !arguments.given(among: [raw, inflate]).isEmpty {
            throw .contradiction(
                "--raw and --inflate are for one tile", remedy: "name it: FILE Z/X/Y")
        }
        let asked = output.map { "--\($0)" } ?? (isTile ? "a tile" : "an archive")
        var idle: [any OptionDeclaring] = output == list.declaration.name ? [] : [box]
        if !isTile || output != geojson.declaration.name { idle.append(tileCoordinates) }
        if !isTile || output != nil { idle.append(first) }
        if isTile && arguments[position] == nil { idle.append(zoom) }
        try arguments.refuse(idle: idle, for: asked)
    }
}
