import Arguments
import Platform
import TileArchive

/// The inputs of a build, where the command line leaves them open.
enum BuildInputs {
    /// The named inputs; without any, standard input if it is a pipe or a file.
    static func inputs(_ arguments: ParsedArguments) throws(UsageError) -> [String] {
        guard arguments.operands.isEmpty, !arguments.has(BuildVerb.namedLayer) else {
            return arguments.operands
        }
        switch (try? FileStatus(of: "/dev/stdin"))?.kind {
        case .fifo, .regular, .socket: return ["-"]
        default: throw .missingArgument("INPUT")
        }
    }

    /// The error for a line without `-o`: a proposed name for the archive, or that an input is not a set of points.
    static func missingOutput(_ inputs: [String]) -> UsageError {
        if let tiles = inputs.first(where: isCalledTiles) {
            return .contradiction(
                "\(tiles) is named like an archive of tiles, but builds read points",
                remedy: "covey inspect \(tiles) shows what is in it; name what it was made from")
        }
        let name = inputs.first.map(LayerName.stem(of:)) ?? "points"
        return .contradiction("-o OUT is missing", remedy: "write -o \(name).mbtiles")
    }

    private static func isCalledTiles(_ input: String) -> Bool {
        guard !input.hasSuffix("/") else { return false }
        return ArchiveContainers.container(named: input) != nil
            || [".mvt", ".pbf"].contains { input.hasSuffix($0) }
    }
}
