import Geometry
import JSON
import PointInput
import Recipes
import Testing

@testable import Tileset

/// What an archive is said to cover, and what is told of records that were read in parts.
struct DrawnBoxesTests {
    private static let deep = WorldBox(minX: 0.3, minY: 0.4, maxX: 0.35, maxY: 0.45)

    /// The whole of what zoom 8 draws and of a box that zoom 2 draws, moved on one side.
    private static func whole(_ side: WritableKeyPath<WorldBox, Double>, by: Double) -> WorldBox {
        var shallow = deep
        shallow[keyPath: side] += by
        var boxes = DrawnBoxes()
        boxes.include(shallow, at: 2)
        boxes.include(deep, at: 8)
        boxes.include(.empty, at: 9)
        return boxes.whole
    }

    @Test func `a coarser zoom reaches further only by more than a unit of it`() {
        let unit = 1.0 / 4 / 4_096
        let sides: [(WritableKeyPath<WorldBox, Double>, Double)] = [
            (\.minX, -1), (\.minY, -1), (\.maxX, 1), (\.maxY, 1),
        ]
        for (side, outwards) in sides {
            for (units, isWider) in [
                (-2, false), (0, false), (0.9, false), (1.1, true), (40, true),
            ] {
                let by = outwards * units * unit
                var wanted = Self.deep
                if isWider { wanted[keyPath: side] += by }
                #expect(Self.whole(side, by: by) == wanted, "\(units)")
            }
        }
    }

    @Test func `a coarser zoom reaches further where a map would not ask for its tile`() {
        let unit = 1.0 / 4 / 4_096
        // The deepest zoom ends just behind an edge of zoom 2, and the other just before it.
        let edge = 0.5
        var boxes = DrawnBoxes()
        let deep = WorldBox(minX: edge + unit / 4, minY: 0.4, maxX: 0.6, maxY: 0.45)
        boxes.include(deep, at: 8)
        boxes.include(WorldBox(minX: edge - unit / 4, minY: 0.4, maxX: 0.6, maxY: 0.45), at: 2)
        #expect(boxes.whole.minX == edge - unit / 4 && boxes.whole.maxX == 0.6)
    }

    @Test func `what parts tell of a layer is put together, each note once`() throws {
        let recipe = try Recipe(
            reading: JSONNode(["layers": [["name": "a", "sources": ["a.csv"]]]]))
        func head(_ records: Int, _ notes: [String]) -> PartHead {
            let report = InputReport(
                records: records, kept: records - 1, points: records - 2,
                rejected: [.truncated: 1], notes: notes)
            return PartHead(
                layer: 0, names: [], used: [], survey: PointSurvey(facets: [[]]), report: report,
                blocks: [], rows: 0)
        }
        let heads = [head(5, ["x", "y"]), head(7, ["y", "z"]), head(9, [])]
        let report = PartReports(heads, recipe).reports[0]
        #expect(report.records == 21 && report.kept == 18 && report.points == 15)
        #expect(report.notes == ["x", "y", "z"] && report.rejected == [.truncated: 3])
    }
}
