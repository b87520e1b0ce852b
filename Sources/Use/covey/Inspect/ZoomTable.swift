import Inspection

/// The table of zooms, whose rows are printed one by one.
struct ZoomTable {
    private let table = AlignedTable([
        .init("zoom"), .init("tiles", width: 9), .init("bytes", width: 7),
        .init("average", width: 7), .init("features", width: 10),
        .init("clusters", width: 9), .init("points", width: 10), .init("top", width: 9),
    ])

    var heading: String { table.heading }

    func line(_ zoom: ZoomFigures) -> String {
        table.line([
            "\(zoom.zoom)", zoom.tiles.grouped, zoom.bytes.asBytes, zoom.averageBytes.asBytes,
            zoom.features.grouped, zoom.clusters.grouped, zoom.points.grouped,
            zoom.largestCluster?.points.grouped ?? "–",
        ])
    }
}
