import Inspection

/// The figures of an archive after all its tiles were decoded, in words and tables.
struct SurveyText {
    let survey: Survey

    init(_ survey: Survey) { self.survey = survey }

    var lines: [String] {
        var lines = [
            "", "features counts margin copies, points and clusters do not; top is the",
            "largest cluster's count",
        ]
        lines += [""] + extremes.lines
        lines += [""] + SizePlot(survey).lines
        for layer in survey.layers { lines += [""] + LayerText(layer).lines }
        if survey.unreadableTiles > 0 {
            lines += [
                "",
                "\(Quantity.text(survey.unreadableTiles, "tiles")) cannot be read; covey verify says why",
            ]
        }
        return lines
    }

    private var extremes: AlignedTable {
        var table = AlignedTable([
            .init("zoom"), .init("smallest tile"), .init("", .left), .init("largest tile"),
            .init("", .left), .init("largest cluster in", .left),
        ])
        for zoom in survey.zooms {
            table.add([
                "\(zoom.zoom)",
                zoom.smallest?.bytes.asBytes ?? "–", zoom.smallest?.tile.description ?? "",
                zoom.largest?.bytes.asBytes ?? "–", zoom.largest?.tile.description ?? "",
                zoom.largestCluster?.tile.description ?? "–",
            ])
        }
        return table
    }
}

/// The numbers of tiles by size, as bars.
struct SizePlot {
    let survey: Survey

    init(_ survey: Survey) { self.survey = survey }

    private static let barWidth = 40

    var lines: [String] {
        let classes = survey.sizeClasses
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
