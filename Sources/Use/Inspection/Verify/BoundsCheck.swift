import Geometry
import TileArchive

/// Checks that a client which keeps to the bounds sees every feature, and that the bounds are hardly wider than needed.
///
/// Maps ask for the tiles from floor(west) to ceil(east) − 1, in tiles of each zoom, and likewise
/// from north to south: they never fetch what lies beyond, except for copies in margins.
struct BoundsCheck {
    let bounds: LonLatBox
    let survey: Survey
    /// Whether the deepest tiles show every point, so that they reach as far as the points do.
    let showsAllPoints: Bool
    /// Whether bounds contain all that is drawn. The bounds of a part that was cut out by a box
    /// contain only the box, and its tiles draw things around the box too.
    var isExact = true

    func check(_ findings: inout FindingList) {
        guard let deepest = drawn.last else { return }
        if let lost = drawn.first(where: { !asksFor($0.zoom) }) {
            return report(
                lost, deepest, "a map never asks for tiles that the bounds leave out", &findings)
        }
        guard deepest.box.lies(in: said, slack: 2 * deepest.unit, columns: checksColumns) else {
            return report(
                deepest, deepest, "features lie outside the bounds", &findings,
                severity: isExact ? .error : .warning)
        }
        let isPoint = said.maxX - said.minX <= 1e-6 && said.maxY - said.minY <= 1e-6
        if showsAllPoints, checksColumns, !isPoint,
            !said.lies(in: reach, slack: 1e-6, columns: true)
        {
            findings.add(
                .error, "bounds", "the bounds are wider than what the tiles hold",
                at: deepest.box.words)
        }
    }

    /// The box of what a zoom draws, and the width of a unit of its grid.
    private struct Drawn {
        let zoom: ZoomFigures
        let box: WorldBox
        let unit: Double
    }

    private var drawn: [Drawn] {
        survey.zooms.compactMap { zoom in
            var box = WorldBox.empty
            var extent: UInt32 = .max
            for layer in survey.layers {
                guard let part = layer.boxes[UInt8(zoom.zoom)] else { continue }
                box.include(part)
                extent = min(extent, max(1, layer.extents.lowerBound))
            }
            guard !box.isEmpty else { return nil }
            let width = TileID(z: UInt8(zoom.zoom), x: 0, y: 0).width
            return Drawn(zoom: zoom, box: box, unit: width / Double(extent))
        }
    }

    /// With bounds across the antimeridian, columns are not checked.
    private var checksColumns: Bool { !bounds.crossesAntimeridian }

    private var said: WorldBox {
        let west = WorldPoint(LonLat(longitude: bounds.west, latitude: bounds.north))
        let east = WorldPoint(LonLat(longitude: bounds.east, latitude: bounds.south))
        // Bounds that end where metadata put the world's end reach that end.
        let end = LonLatBox.requestedEnd
        return WorldBox(
            minX: west.x, minY: bounds.north >= end ? min(0, west.y) : west.y,
            maxX: east.x, maxY: bounds.south <= -end ? max(1, east.y) : east.y)
    }

    /// Whether a map asks for all tiles of a zoom that own a point.
    private func asksFor(_ zoom: ZoomFigures) -> Bool {
        guard let columns = zoom.columns, let rows = zoom.rows else { return true }
        let tiles = Double(UInt64(1) << UInt64(zoom.zoom))
        func covers(_ least: Double, _ most: Double, _ wanted: ClosedRange<UInt32>) -> Bool {
            (least * tiles).rounded(.down) <= Double(wanted.lowerBound)
                && (most * tiles).rounded(.up) - 1 >= Double(wanted.upperBound)
        }
        return covers(said.minY, said.maxY, rows)
            && (!checksColumns || covers(said.minX, said.maxX, columns))
    }

    /// The box of what the tiles of any zoom hold, each to a unit of its own grid.
    private var reach: WorldBox {
        drawn.reduce(into: WorldBox.empty) { reach, drawn in
            reach.include(drawn.box.grown(by: 1.5 * drawn.unit))
        }
    }

    private func report(
        _ drawn: Drawn, _ deepest: Drawn, _ message: String, _ findings: inout FindingList,
        severity: Finding.Severity = .error
    ) {
        let box = deepest.box
        let mirrored = WorldBox(
            minX: box.minX, minY: 1 - box.maxY, maxX: box.maxX, maxY: 1 - box.minY)
        // Rows are mirrored but not the contents of their tiles, so the box may be off by a tile's height.
        let tile = TileID(z: UInt8(deepest.zoom.zoom), x: 0, y: 0).width
        let rowsFit = box.lies(in: said, slack: 2 * deepest.unit, columns: false)
        if !rowsFit,
            mirrored.lies(in: said, slack: 2 * deepest.unit + tile, columns: checksColumns)
        {
            findings.add(
                .error, "row-numbering",
                "the rows seem to be numbered from the north: turned over, the features fit the "
                    + "bounds", at: box.words)
        } else {
            findings.add(
                severity, "bounds", message, at: "zoom \(drawn.zoom.zoom): \(drawn.box.words)")
        }
    }
}

extension WorldBox {
    fileprivate func lies(in other: WorldBox, slack: Double, columns: Bool) -> Bool {
        guard minY >= other.minY - slack, maxY <= other.maxY + slack else { return false }
        return !columns || minX >= other.minX - slack && maxX <= other.maxX + slack
    }

    /// The box in degrees, rounded to a metre.
    fileprivate var words: String {
        let box = lonLatBox
        return [box.west, box.south, box.east, box.north].map { degrees in
            "\((degrees * 1e5).rounded() / 1e5)"
        }.joined(separator: ",")
    }
}
