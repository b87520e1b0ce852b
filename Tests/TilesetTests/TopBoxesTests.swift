import Clustering
import Foundation
import Geometry
import JSON
import TestSupport
import TileArchive
import Testing

@testable import Tileset

/// Boxes of clusters that reach around the world, put together from cells: the radius is such that some
/// span more than half of it.
struct TopBoxesTests {
    /// A band of points around the world with a gap somewhere, narrower or wider than clusters are.
    static func band(_ count: Int, gap: Double, at start: Double) -> [SamplePoint] {
        (0..<count).map { index in
            let along = start + gap + (1 - gap) * Double(index) / Double(count - 1)
            let column = along - along.rounded(.down)
            return SamplePoint(
                place: LonLat(
                    longitude: column * 360 - 180, latitude: Double(index % 7) * 0.1))
        }
    }

    @Test(arguments: [0.02, 0.005, 0.001])
    func `a box leaves out the gap that all points leave`(gap: Double) throws {
        for start in [0.1, 0.499, 0.997] {
            let builds = try CellBuildTests.Builds(
                [
                    (
                        Self.band(700, gap: gap, at: start),
                        ["clusters": ["radius": 160, "fields": ["bbox"]]]
                    )
                ], tiles: ["maxZoom": 5])
            #expect(try builds.areSameCut(zoom: 1), "gap \(gap) from \(start)")
        }
    }
}
