import Inspection

extension ZoomFigures {
    /// The table of zooms, whose rows are printed one by one.
    static let table = AlignedTable([
        .init("zoom"), .init("tiles", width: 9), .init("bytes", width: 7),
        .init("average", width: 7), .init("features", width: 10),
        .init("clusters", width: 9), .init("points", width: 10), .init("top", width: 9),
    ])

    var line: String {
        Self.table.line([
            "\(zoom)", tiles.grouped, bytes.asBytes, averageBytes.asBytes, features.grouped,
            clusters.grouped, points.grouped, largestCluster?.points.grouped ?? "–",
        ])
    }
}
