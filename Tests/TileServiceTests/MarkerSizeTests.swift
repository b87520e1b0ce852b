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

    @Test func `a radius that varies by zoom is followed`() throws {
        let folder = try SampleFolder()
        try folder.build(
            "a.mbtiles", of: SamplePoint.random(60, seed: 3),
            clusters: ["radius": ["0": 68, "2": 24]], tiles: ["maxZoom": 3])
        let layers = try folder.service().json("/a/style.json").required("layers").elements
        func paint(_ role: String, _ key: String) throws -> JSONValue {
            let layer = try layers.first { try $0.required("id").string == "a/points-\(role)" }
            return try #require(layer).required("paint").required(key).value
        }
        let step = try #require(paint("clusters", "circle-radius").asArray)
        #expect(step.prefix(2) == ["step", ["zoom"]])
        // The value before the first zoom, and then a zoom and its value again and again.
        var largest: [Int64: JSONValue] = [0: try #require(step[2].asArray?.last)]
        for index in stride(from: 3, to: step.count, by: 2) {
            guard case .integer(let zoom) = step[index] else { continue }
            largest[zoom] = step[index + 1].asArray?.last
        }
        #expect(largest[0] == 34 && largest[2] == 12)
        #expect(largest.allSatisfy { $1 == ($0 < 2 ? 34 : 12) })
        #expect(
            try paint("heat", "heatmap-radius")
                == ["interpolate", ["linear"], ["zoom"], 1, 102, 2, 36])
    }
}
