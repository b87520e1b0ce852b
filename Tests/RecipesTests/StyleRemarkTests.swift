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
}
