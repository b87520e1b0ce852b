import JSON
import Recipes
import Testing

/// What an import says that tiles do otherwise than the live source did.
struct StyleRemarkTests {
    @Test func `reducers that depend on the order of points are named, and no others`() throws {
        let properties: JSONValue = [
            "sum": ["+", ["get", "x"]],
            "most": [["max", ["accumulated"], ["get", "most"]], ["get", "x"]],
            "turned": [["*", ["get", "turned"], ["accumulated"]], ["get", "x"]],
            "list": ["concat", ["get", "name"]],
            "difference": [["-", ["accumulated"], ["get", "difference"]], ["get", "x"]],
            "other": [["+", ["accumulated"], ["get", "sum"]], ["get", "x"]],
        ]
        let imported = try StyleImportTests.imported([
            "a": [
                "type": "geojson", "data": "a.geojson", "cluster": true,
                "clusterProperties": properties,
            ]
        ])
        let named = imported.remarks.compactMap { remark in
            remark.split(separator: " ").first { $0.hasPrefix("clusterProperties.") }
        }
        #expect(
            named == [
                "clusterProperties.list", "clusterProperties.difference",
                "clusterProperties.other",
            ])
    }

    @Test(
        arguments: [
            (["==", "kind", "cafe"], 1), (["all", ["!in", "kind", "a"], ["has", "x"]], 1),
            (["==", ["get", "kind"], "cafe"], 0), (["all", ["has", "x"]], 0),
        ] as [(JSONValue, Int)])
    func `a filter that live is read as an expression is named`(
        filter: JSONValue, remarks: Int
    ) throws {
        let imported = try StyleImportTests.imported([
            "a": [
                "type": "geojson", "data": "a.geojson", "cluster": true, "filter": filter,
            ]
        ])
        #expect(imported.remarks.count { $0.contains("filter") } == remarks)
        #expect(imported.recipe.layers[0].input.filter == filter)
    }

    @Test func `what becomes of a source does not depend on those before it`() throws {
        let sources: [(String, JSONValue)] = [
            ("clustered", ["type": "geojson", "data": "a.geojson", "cluster": true]),
            ("lines", ["type": "geojson", "data": "b.geojson"]),
            ("unused", ["type": "geojson", "data": "c.geojson"]),
            ("dots", ["type": "geojson", "data": "d.geojson"]),
            ("raster", ["type": "raster", "tiles": ["https://example.org/{z}/{x}/{y}.png"]]),
        ]
        let layers: [JSONValue] = [
            ["id": "1", "type": "line", "source": "lines"],
            ["id": "2", "type": "circle", "source": "dots"],
            ["id": "3", "type": "raster", "source": "raster"],
        ]
        for turn in sources.indices {
            let turned = Array(sources[turn...] + sources[..<turn])
            let imported = try StyleImportTests.imported(
                JSONObject(turned.map { .init(key: $0.0, value: $0.1) }), layers: layers)
            let names = turned.map(\.0).filter { ["clustered", "dots"].contains($0) }
            #expect(imported.recipe.layers.map(\.name) == names)
            #expect(imported.recipe.tiles.buffer == 127 && imported.recipe.tiles.maxZoom == 18)
            let left = imported.style.asObject?["sources"]?.asObject
            for (name, source) in sources {
                let wanted: JSONValue =
                    names.contains(name) ? ["type": "vector", "url": "/tiles"] : source
                #expect(left?[name] == wanted, "\(name)")
            }
            let told = ["lines", "unused"].filter { name in
                imported.remarks.contains { $0.hasPrefix("\(name) is not clustered") }
            }
            #expect(told == ["lines", "unused"] && imported.remarks.count == 2)
        }
    }
}
