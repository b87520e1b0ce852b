import Arguments
import Platform

/// What is built, where the line leaves it to be understood.
enum BuildInputs {
    /// The inputs named; none is what is piped in, if anything is.
    static func inputs(_ operands: [String]) throws(UsageError) -> [String] {
        guard operands.isEmpty else { return operands }
        switch (try? FileStatus(of: "/dev/stdin"))?.kind {
        case .fifo, .regular, .socket: return ["-"]
        default: throw .missingArgument("INPUT")
        }
    }

    /// A name for the archive of these inputs.
    static func suggestedOutput(_ inputs: [String]) -> String {
        "\(inputs.first.map(LayerName.stem(of:)) ?? "points").mbtiles"
    }
}
