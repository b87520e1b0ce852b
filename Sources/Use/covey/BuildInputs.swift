import Arguments
import Platform
import TileArchive

/// What is built, where the line leaves it to be understood.
enum BuildInputs {
    /// The inputs named; none is what is piped in, if anything is.
    static func inputs(_ arguments: ParsedArguments) throws(UsageError) -> [String] {
        guard arguments.operands.isEmpty, !arguments.has(BuildVerb.namedLayer) else {
            return arguments.operands
        }
        switch (try? FileStatus(of: "/dev/stdin"))?.kind {
        case .fifo, .regular, .socket: return ["-"]
        default: throw .missingArgument("INPUT")
        }
    }

    /// A line without `-o`: a name for the archive of these inputs, or that one is no set of points.
    static func missingOutput(_ inputs: [String]) -> UsageError {
        if let tiles = inputs.first(where: isCalledTiles) {
            return .contradiction(
                "\(tiles) has the name of tiles, and what is built is points",
                remedy: "covey inspect \(tiles) tells what is in it; name what it was made from")
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
