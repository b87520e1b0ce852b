import JSON
import Testing

@testable import TileService

/// How large clusters are drawn, by how far apart they lie.
struct MarkerSizeTests {
    @Test(arguments: [
        (12, [6, 7, 9, 10]), (34, [10, 12, 14, 17]), (40, [11, 14, 17, 20]),
        (68, [19, 24, 29, 34]),
        (100, [20, 25, 31, 36]),
    ])
    func `the largest two just touch, within limits, and others have their share`(
        radius: Int, sizes: [Int]
    ) throws {
        let folder = try SampleFolder()
        try folder.build(
            "a.mbtiles", of: SamplePoint.random(60, seed: 3),
            clusters: ["radius": .integer(Int64(radius))], tiles: ["maxZoom": 1])
        let style = try folder.service().json("/a/style.json")
        let circles = try style.required("layers").elements.first {
            try $0.required("id").string == "a/points-clusters"
        }
        let value = try #require(circles).required("paint").required("circle-radius").value
        // A size, and then a count and a size again and again.
        let step = try #require(value.asArray)
        let found = step.enumerated().filter { $0.offset >= 2 && $0.offset % 2 == 0 }
        #expect(found.map(\.element) == sizes.map { .integer(Int64($0)) }, "\(value.text())")
    }
}
