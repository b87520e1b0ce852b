import Clustering
import PointInput
import Tileset

/// The report of a build as text.
struct ReportTable {
    private let report: BuildReport
    private let files: [String]

    /// What there is to say of the archive's metadata.
    private let notes: [String]

    /// - Parameters:
    ///   - files: the files of the archive.
    ///   - hasStatistics: whether it has `tilestats`.
    init(_ report: BuildReport, files: [String], hasStatistics: Bool = true) {
        self.report = report
        self.files = files
        notes =
            hasStatistics
            ? [] : ["tilestats are left out: with them the metadata would be too long"]
    }

    var text: String {
        ([layers, zooms, largest, cells, stages, extent, last].filter { !$0.isEmpty }).joined(
            separator: "\n\n")
    }

    private var layers: String {
        let shared =
            report.clusterIDsMayEqualPointIDs
            ? ["some ids of clusters may equal ids of points, which are too high to avoid this"]
            : []
        return
            (report.layers.map { layer in
                let first =
                    "\(layer.name): \(Quantity.text(layer.input.records, "records")) in, "
                    + "\(Quantity.text(layer.points, "points")) kept, "
                    + Quantity.text(layer.clusters, "clusters")
                return ([first] + remarks(on: layer)).joined(separator: "\n")
            } + shared + notes).joined(separator: "\n")
    }

    /// What there is to say of the layers besides their numbers, such as what was left out.
    var remarks: [String] { report.layers.flatMap(remarks) + notes }

    private func remarks(on layer: BuildReport.Layer) -> [String] {
        var lines = leftOut(layer.input)
        if layer.input.duplicates > 0 {
            lines.append(
                "  \(Quantity.text(layer.input.duplicates, "points")) left out as duplicates "
                    + "(--dedupe)")
        }
        lines += layer.input.regions.map(remarks) ?? []
        lines += layer.input.notes.map { "  " + $0 }
        if layer.heldClusters > 0 {
            lines.append(
                "  \(Quantity.text(layer.heldClusters, "clusters")) beyond the cluster zooms, as their "
                    + "points share one place or tiles would be too full")
        }
        for (aggregate, count) in layer.skippedValues where count > 0 {
            let facet = layer.facets.first { $0.facet.attribute == aggregate }
            lines.append(
                facet.map { "  " + $0.remark(onMissing: count) }
                    ?? "  \(Quantity.text(count, "values")) left out of \(aggregate): "
                    + "missing or of another kind")
        }
        lines += layer.facets.flatMap(\.remarks).map { "  " + $0 }
        if let bins = layer.bins {
            let shown = report.zooms.filter { $0.zoom <= bins.maxZoom }
            lines.append(
                "  \(Quantity.text(bins.count, "bins")) down to zoom \(bins.maxZoom)"
                    + (!shown.isEmpty && shown.allSatisfy { $0.pointCount == 0 }
                        ? ", where they alone stand for all points" : ""))
        }
        return lines
    }

    /// How many points are in no region, and which regions have none.
    private func remarks(_ tally: RegionTally) -> [String] {
        let (count, empty) = (tally.regions.count, tally.empty)
        var lines = [
            "  \(Quantity.text(count, "regions")), \(Quantity.text(tally.outside, "points")) outside all of them"
        ]
        if !empty.isEmpty {
            let named = empty.prefix(8).joined(separator: ", ")
            let more = empty.count > 8 ? ", … (--json names all)" : ""
            lines.append(
                "  \(Quantity.text(empty.count, "regions")) without a point: \(named)\(more)")
        }
        return lines
    }

    /// The records that were left out by reason, most first, with the place of the first of each kind.
    private func leftOut(_ input: InputReport) -> [String] {
        let reasons = input.rejected.sorted {
            ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue)
        }
        return reasons.map { reason, count in
            let first = input.samples.first { $0.reason == reason }
            let location = first.map { " (first: \($0.location))" } ?? ""
            return "  \(count.grouped) left out, \(reason.phrase)\(location)"
        }
    }

    private var zooms: String {
        let titles = ["zoom", "tiles", "size", "clusters", "points", "largest", "Σ count"]
        var table = AlignedTable(titles.map { .init($0) })
        for zoom in report.zooms {
            table.add([
                "\(zoom.zoom)", zoom.tiles.grouped, zoom.bytes.asBytes,
                zoom.clusters.grouped, zoom.points.grouped,
                zoom.largestCluster.grouped, zoom.pointCount.grouped,
            ])
        }
        let leftOut = report.leftOutTiles.values.reduce(0, +)
        let depth =
            leftOut == 0
            ? nil
            : "\(leftOut.grouped) tiles left out, whose ancestors show the same: maps must "
                + "show the ancestors instead"
        return (table.lines + [report.zoomReason, depth].compactMap(\.self)).joined(separator: "\n")
    }

    private var largest: String {
        let tiles = report.largestTiles.map { tile in
            "\(tile.tile) \(tile.bytes.asBytes)"
        }
        return tiles.isEmpty ? "" : "largest tiles: " + tiles.joined(separator: ", ")
    }

    private var cells: String {
        guard let cells = report.cells else { return "" }
        return "\(Quantity.text(cells.cells, "cells")), cut at zoom \(cells.cutZoom): \(cells.text)"
    }

    private var stages: String {
        report.stages.map { stage in
            "\(stage.stage.rawValue) \(Quantity.seconds(stage.seconds))"
        }.joined(separator: ", ")
            + (report.stages.last.map { "; peak memory \($0.peakBytes.asBytes)" } ?? "")
    }

    private var extent: String {
        guard let bounds = report.bounds, let center = report.center else { return "" }
        func text(_ numbers: [Double]) -> String {
            // 0 instead of −0.
            numbers.map { "\(($0 * 1e4).rounded() / 1e4 + 0)" }.joined(separator: ", ")
        }
        return "bounds " + text([bounds.west, bounds.south, bounds.east, bounds.north])
            + "; centre " + text([center.longitude, center.latitude])
    }

    private var last: String {
        "\(files.joined(separator: ", ")): \(report.tileCount.grouped) tiles, "
            + "\(report.fileBytes.asBytes). Look at it: covey serve \(files[0])"
    }
}

extension CellFigures {
    /// How far cells looked around, and what that took.
    var text: String {
        let share = (loadedShare * 100).rounded() / 100
        let passes =
            rounds > 1
            ? "; all run \(rounds) times, the last with \(passLimit) passes per zoom" : ""
        let taken =
            takenOver > 0 ? "; \(takenOver.grouped) reused from the job before" : ""
        return "\(share) × their points loaded, \(widened.grouped) with a wider margin"
            + passes + taken
    }
}

extension FacetLayout {
    /// The values that are counted together.
    fileprivate func remark(onMissing count: Int) -> String {
        "facet \(facet.name): \(Quantity.text(count, "points")) counted as (none), "
            + "without a value or with one of another kind"
            + (facet.isRunning ? "; times are read as in 2024-02-29 or 2024-02-29T12:00:00Z" : "")
    }

    fileprivate var remarks: [String] {
        zip(facet.axes, axes).flatMap { axis, known in
            var remarks: [String] = []
            if known.otherValues > 0 {
                let kept =
                    axis.name == axis.carriedBy && axis.name != axis.attribute
                    ? "latest" : "most common"
                remarks.append(
                    "facet \(facet.name): the \(known.values.count) \(kept) values of \(axis.name) are "
                        + "counted by themselves; \(known.otherValues.grouped) more are "
                        + "counted as other"
                )
            }
            return remarks
        }
    }
}
