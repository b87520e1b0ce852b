import JSON
import Recipes
import TestSupport
import Testing

/// Sources of styles whose numbers are drawn.
struct StyleNumberTests {
    /// What a source says, or what MapLibre takes where it says nothing.
    private struct Source {
        var json: JSONObject = ["type": "geojson", "data": "a.geojson"]
        var isClustered = false
        var (deepest, last, radius, least, margin) = (18, 17, 50.0, 2.0, 128.0)

        init(seed: UInt64) {
            var random = SeededRandom(seed: seed)
            var json = json
            func draw(_ key: String, _ values: [Double]) -> Double? {
                guard random.next() % 4 > 0, let value = values.randomElement(using: &random)
                else { return nil }
                json[key] = JSONValue(canonical: value)
                return value
            }
            isClustered = draw("cluster", [1]) != nil
            json["cluster"] = isClustered ? true : nil
            deepest = Int(draw("maxzoom", [0, 3, 11, 12, 13, 24]) ?? 18)
            radius = draw("clusterRadius", [0, 1, 50, 127, 128, 4_096]) ?? 50
            last =
                draw("clusterMaxZoom", [0, 2.4, 2.5, 11, 12, 13, 17]).map { Int($0.rounded()) }
                ?? max(deepest - 1, 0)
            least = draw("clusterMinPoints", [0, 1, 2, 2.1, 3, 700]) ?? 2
            margin = draw("buffer", [0, 8, 127, 512]) ?? 128
            self.json = json
        }

        var usedRadius: Double { radius == 0 ? 50 : radius }
    }

    @Test(arguments: UInt64(0)..<60)
    func `a source becomes the layer that its numbers say`(seed: UInt64) throws {
        let source = Source(seed: seed)
        let imported = try StyleImportTests.imported(
            [
                "a": .object(source.json),
                "b": ["type": "geojson", "data": "b", "cluster": true, "clusterRadius": 3],
            ], layers: [["id": "l", "type": "circle", "source": "a"]])
        let (isClustered, last) = (source.isClustered, source.last)
        // The other source reaches to zoom 18, with clusters to 17.
        let needed = last < source.deepest ? max(last + 1, min(source.deepest, 12)) : last
        let tiles = imported.recipe.tiles
        #expect(tiles.maxZoom == UInt8(isClustered ? max(needed, 18) : 18))
        #expect(
            tiles.buffer == max(3, min(isClustered ? source.usedRadius : source.margin, 127)))
        #expect(tiles.extentBits == 13)
        let first = try #require(imported.recipe.layers.first { $0.name == "a" })
        #expect((first.clusters != nil) == isClustered && first.sources == ["a.geojson"])
        if let clusters = first.clusters {
            #expect(clusters.maxZoom == last && !clusters.options.wrap)
            #expect(clusters.options.minPoints == max(2, Int(source.least.rounded(.up))))
            #expect(clusters.options.radius == .init(source.usedRadius))
        }
        let vector = imported.style.asObject?["sources"]?.asObject?["a"]?.asObject
        #expect(vector?["type"] == "vector" && vector?["url"] == "/tiles")
        let most = isClustered && source.deepest <= last ? Int64(source.deepest) : nil
        #expect(vector?["maxzoom"] == most.map(JSONValue.integer))
        let remarks = imported.remarks.filter { $0.hasPrefix("a:") }.joined()
        #expect(
            remarks.contains("overlap by 127 pixels") == (isClustered && source.usedRadius > 127))
        #expect(remarks.contains("clusterMaxZoom 0") == (isClustered && last == 0))
    }
}
