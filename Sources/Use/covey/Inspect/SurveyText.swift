import Inspection

extension Survey {
    /// The figures of all tiles, in words and tables.
    var lines: [String] {
        var lines = [
            "", "features counts margin copies, points and clusters do not; top is the",
            "largest cluster's count",
        ]
        lines += [""] + extremes.lines
        lines += [""] + sizeLines
        for layer in layers { lines += [""] + layer.lines }
        if let warning { lines += ["", warning] }
        return lines
    }

    private var extremes: AlignedTable {
        var table = AlignedTable([
            .init("zoom"), .init("smallest tile"), .init("", .left), .init("largest tile"),
            .init("", .left), .init("largest cluster in", .left),
        ])
        for zoom in zooms {
            table.add([
                "\(zoom.zoom)",
                zoom.smallest?.bytes.asBytes ?? "–", zoom.smallest?.tile.description ?? "",
                zoom.largest?.bytes.asBytes ?? "–", zoom.largest?.tile.description ?? "",
                zoom.largestCluster?.tile.description ?? "–",
            ])
        }
        return table
    }

    private static let barWidth = 40

    /// The numbers of tiles by size, as bars.
    private var sizeLines: [String] {
        let classes = sizeClasses
        guard let first = classes.firstIndex(where: { $0 > 0 }),
            let last = classes.lastIndex(where: { $0 > 0 }), let most = classes.max()
        else { return [] }
        var table = AlignedTable([
            .init("tiles up to"), .init("", .left), .init("tiles", .left),
        ])
        for power in first...last {
            // A class that is not empty has a visible bar.
            let width = Double(classes[power]) / Double(most) * Double(Self.barWidth)
            let bar = String(
                repeating: "█", count: classes[power] == 0 ? 0 : max(1, Int(width.rounded())))
            table.add([(1 << power).asBytes, bar, classes[power].grouped])
        }
        return table.lines
    }
}
