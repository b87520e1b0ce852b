import JSON
import Testing

import Recipes

struct StyleImportTests {
    /// A map of street trees in clusters, as such maps are usually styled.
    static let style: JSONValue = [
        "version": 8,
        "center": [13.4, 52.5],
        "sources": [
            "background": ["type": "raster", "tiles": ["https://example.org/{z}/{x}/{y}.png"]],
            "trees": [
                "type": "geojson", "data": "trees.geojson", "cluster": true, "clusterRadius": 80,
                "clusterMaxZoom": 14, "clusterMinPoints": 3, "promoteId": "number",
                "attribution": "City of Trees",
                "filter": ["==", ["get", "kind"], "oak"],
                "clusterProperties": ["height": ["max", ["get", "height"]]],
            ],
        ],
        "layers": [
            ["id": "background", "type": "raster", "source": "background"],
            [
                "id": "clusters", "type": "circle", "source": "trees",
                "filter": ["has", "point_count"],
                "paint": [
                    "circle-radius": ["step", ["get", "point_count"], 20, 100, 30, 750, 40]
                ],
            ],
            [
                "id": "counts", "type": "symbol", "source": "trees",
                "filter": ["has", "point_count"],
                "layout": ["text-field": ["get", "point_count_abbreviated"]],
            ],
        ],
    ]

    static func imported(_ sources: JSONObject, layers: [JSONValue] = []) throws -> StyleImport {
        let style: JSONValue = ["sources": .object(sources), "layers": .array(layers)]
        return try StyleImport(reading: JSONNode(style), tiles: "/tiles")
    }

    @Test func `a clustered source becomes a layer that clusters as it did`() throws {
        let imported = try StyleImport(reading: JSONNode(Self.style), tiles: "/trees")
        #expect(
            imported.recipe.json == [
                "attribution": "City of Trees",
                "tiles": ["maxZoom": 15, "extent": 8192, "buffer": 80],
                "layers": [
                    [
                        "name": "trees", "sources": ["trees.geojson"],
                        "filter": ["==", ["get", "kind"], "oak"],
                        "clusters": [
                            "radius": 80, "maxZoom": 14, "minPoints": 3, "algorithm": "greedy",
                            "order": "input", "wrap": false,
                            "clusterProperties": ["height": ["max", ["get", "height"]]],
                        ],
                    ]
                ],
            ])
        let again = try Recipe(reading: JSONNode(imported.recipe.json))
        #expect(again.json == imported.recipe.json)
        #expect(imported.remarks.isEmpty && imported.files.isEmpty)
    }

    @Test func `the style shows the tiles and is otherwise the same to the byte`() throws {
        let imported = try StyleImport(reading: JSONNode(Self.style), tiles: "/trees")
        var wanted = Self.style.asObject ?? [:]
        var sources = wanted["sources"]?.asObject ?? [:]
        sources["trees"] = ["type": "vector", "url": "/trees", "promoteId": "number"]
        wanted["sources"] = .object(sources)
        let layers = wanted["layers"]?.asArray ?? []
        wanted["layers"] = .array(
            layers.map { layer in
                guard var object = layer.asObject, object["source"] == "trees" else { return layer }
                object.members.insert(.init(key: "source-layer", value: "trees"), at: 3)
                return .object(object)
            })
        #expect(imported.style.text() == JSONValue.object(wanted).text())
    }

    @Test func `what a source leaves out is as in MapLibre`() throws {
        let source: JSONValue = ["type": "geojson", "data": "a.geojson", "cluster": true]
        let recipe = try Self.imported(["a": source]).recipe
        #expect(recipe.tiles.maxZoom == 18)
        #expect(recipe.tiles.buffer == 50)
        #expect(recipe.layers[0].clusters?.maxZoom == 17)
        #expect(recipe.layers[0].clusters?.options.radius == 50)
        #expect(recipe.layers[0].clusters?.options.minPoints == 2)
    }

    @Test func `numbers are taken as MapLibre takes them`() throws {
        let source: JSONValue = [
            "type": "geojson", "data": "a.geojson", "cluster": true,
            "clusterRadius": 0, "clusterMaxZoom": 0, "clusterMinPoints": 0,
        ]
        let imported = try Self.imported(["a": source])
        let clusters = imported.recipe.layers[0].clusters
        #expect(clusters?.maxZoom == 0)
        #expect(clusters?.options.radius == 50)
        #expect(clusters?.options.minPoints == 2)
        #expect(imported.remarks.count == 1)
        var rounded = source.asObject ?? [:]
        rounded["clusterMaxZoom"] = 12.6
        rounded["clusterMinPoints"] = 2.5
        let recipe = try Self.imported(["a": .object(rounded)]).recipe
        #expect(recipe.layers[0].clusters?.maxZoom == 13)
        #expect(recipe.layers[0].clusters?.options.minPoints == 3)
        #expect(recipe.tiles.maxZoom == 14)
    }

    /// MapLibre takes a last zoom of clusters that the source does not reach for no more than it is.
    @Test(arguments: [(9, 8, 9), (9, 9, 9), (9, 10, 10), (18, 11, 12), (18, 12, 13), (5, 4, 5)])
    func `tiles end where clusters have come apart, or with the source`(
        deepest: Int, last: Int, wanted: UInt8
    ) throws {
        let source: JSONValue = [
            "type": "geojson", "data": "a.geojson", "cluster": true,
            "clusterMaxZoom": .integer(Int64(last)), "maxzoom": .integer(Int64(deepest)),
        ]
        #expect(try Self.imported(["a": source]).recipe.tiles.maxZoom == wanted)
    }

    @Test(arguments: [(18, 12), (9, 9), (5, 5)])
    func `tiles go on past the clusters until positions are exact, as far as the source did`(
        deepest: Int, wanted: UInt8
    ) throws {
        let source: JSONValue = [
            "type": "geojson", "data": "a.geojson", "cluster": true, "clusterMaxZoom": 4,
            "maxzoom": .integer(Int64(deepest)),
        ]
        #expect(try Self.imported(["a": source]).recipe.tiles.maxZoom == wanted)
    }

    @Test func `ids made by number are made so again, with a warning unless others are promoted`()
        throws
    {
        var source: JSONObject = [
            "type": "geojson", "data": "a.geojson", "cluster": true, "generateId": true,
        ]
        let imported = try Self.imported(["a": .object(source)])
        #expect(imported.recipe.layers[0].input.generateID)
        #expect(imported.remarks.count == 1)
        source["promoteId"] = "code"
        #expect(try Self.imported(["a": .object(source)]).remarks == [])
    }

    @Test func `who reckons with the abbreviated count is told that it is text`() throws {
        let short: JSONValue = ["get", "point_count_abbreviated"]
        let source: JSONValue = ["type": "geojson", "data": "a.geojson", "cluster": true]
        for (part, remarks) in [("layout", 0), ("paint", 1)] {
            let layer: JSONValue = [
                "type": "symbol", "source": "a",
                part: [part == "layout" ? "text-field" : "text-opacity": ["/", short, 9]],
            ]
            #expect(try Self.imported(["a": source], layers: [layer]).remarks.count == remarks)
        }
    }

    @Test func `clusters that never came apart still don't`() throws {
        let imported = try Self.imported([
            "a": [
                "type": "geojson", "data": "a.geojson", "cluster": true, "maxzoom": 12,
                "clusterMaxZoom": 14,
            ]
        ])
        #expect(imported.recipe.tiles.maxZoom == 14)
        #expect(imported.recipe.layers[0].clusters?.maxZoom == 14)
        #expect(imported.style.asObject?["sources"]?.asObject?["a"]?.asObject?["maxzoom"] == 12)
    }

    @Test func `several sources become layers, points of other sources unclustered ones`() throws {
        let clustered: JSONValue = [
            "type": "geojson", "data": "a.geojson", "cluster": true, "clusterMaxZoom": 9,
        ]
        let deeper: JSONValue = [
            "type": "geojson", "data": "b.geojson", "cluster": true, "clusterMaxZoom": 11,
        ]
        let plain: JSONValue = ["type": "geojson", "data": "c.geojson"]
        let imported = try Self.imported(
            ["a": clustered, "b": deeper, "dots": plain, "streets": plain],
            layers: [
                ["id": "1", "type": "circle", "source": "dots"],
                ["id": "2", "type": "line", "source": "streets"],
            ])
        #expect(imported.recipe.layers.map(\.name) == ["a", "b", "dots"])
        #expect(imported.recipe.layers.map { $0.clusters != nil } == [true, true, false])
        #expect(imported.recipe.tiles.maxZoom == 12)
        #expect(imported.remarks.count == 1)
        let sources = imported.style.asObject?["sources"]?.asObject
        #expect(sources?["streets"] == plain)
        #expect(sources?["dots"] == ["type": "vector", "url": "/tiles"])
    }

    @Test func `data inside the style goes to a file`() throws {
        let data: JSONValue = ["type": "FeatureCollection", "features": []]
        let imported = try Self.imported([
            "my/places": ["type": "geojson", "data": data, "cluster": true]
        ])
        #expect(imported.files == [.init(name: "my-places.geojson", data: data)])
        #expect(imported.recipe.layers[0].sources == ["my-places.geojson"])
    }

    @Test(
        arguments: [
            (
                ["clusterRadius": "80"],
                "expected a number from 0 to 4096 at sources.a.clusterRadius, found \"80\""
            ),
            (
                ["filter": ["==", ["gett", "x"], 1]],
                "unknown operator \"gett\" at sources.a.filter[1]; did you mean \"get\"?"
            ),
            (
                ["clusterProperties": ["s": ["+", ["gett", "x"]]]],
                "unknown operator \"gett\" at sources.a.clusterProperties.s[1]; did you mean \"get\"?"
            ),
            (
                ["filter": ["<", "$zoom", 9]],
                "\"$zoom\" at sources.a.filter[1] is for drawing maps; it has no meaning for data"
            ),
            (["cluster": false], "sources: no GeoJSON source has \"cluster\": true"),
        ] as [(JSONObject, String)])
    func `a style that is wrong is refused with the path`(
        members: JSONObject, problem: String
    ) throws {
        var source: JSONObject = ["type": "geojson", "data": "a.geojson", "cluster": true]
        for member in members.members { source[member.key] = member.value }
        let error = #expect(throws: RecipeError.self) {
            try Self.imported(["a": .object(source)])
        }
        #expect(error?.problems.first == problem)
    }
}
