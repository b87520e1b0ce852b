import Recipes
import JSON
import Testing
import Tileset

/// What single keys of a recipe do to a build.
struct BuildChoicesTests {
    @Test func `points are numbered as they come, those that are kept`() throws {
        let baked = try BakedArchive(
            BuildTests.points,
            layer: ["generateId": true, "clusters": false, "filter": ["!=", ["get", "n"], 3]],
            tiles: ["maxZoom": 3])
        let kept = BuildTests.points.filter { $0.properties[0].1 != 3 }
        let nodes = baked.nodes(at: 3)
        #expect(nodes.count == kept.count && kept.count < BuildTests.points.count)
        for node in nodes {
            let point = kept[Int(try #require(node.id))]
            #expect(node.integer("n") == point.properties[0].1.asNumber.map { Int($0) })
        }
    }

    @Test func `the deepest tiles are finer, unless coarse ones were asked for`() throws {
        for (asked, deepest) in [(4096, 65_536), (8192, 65_536), (1024, 1024)] {
            let baked = try BakedArchive(
                Array(BuildTests.points.prefix(100)),
                tiles: ["maxZoom": 5, "extent": .integer(Int64(asked))])
            #expect(Set(baked.nodes(at: 4).map(\.extent)) == [asked])
            #expect(Set(baked.nodes(at: 5).map(\.extent)) == [deepest])
        }
    }

    @Test func `an attribute that no point has is refused by path, but may be excluded`() throws {
        let layer: JSONValue = [
            "exclude": ["kinn"],
            "clusters": [
                "weight": "m", "position": ["max": "kid"],
                "aggregates": ["a": "sum:nn", "b": ["sum", ["get", "no matter"]]],
            ],
        ]
        let error = #expect(throws: RecipeError.self) {
            try BakedArchive(BuildTests.points, layer: layer)
        }
        #expect(
            error?.problems == [
                "layers[0].clusters.weight: no point has \"m\"",
                "layers[0].clusters.position.max: no point has \"kid\"; did you mean \"kind\"?",
                "layers[0].clusters.aggregates.a: no point has \"nn\"; did you mean \"n\"?",
            ])
    }

    @Test func `bins may be of one zoom alone, the first`() throws {
        let points = Array(BuildTests.points.prefix(100))
        for (least, last) in [(3, 3), (2, 3)] as [(Int64, Int64)] {
            let baked = try BakedArchive(
                points,
                tiles: [
                    "minZoom": .integer(least), "maxZoom": 5, "bins": "hexagon:64",
                    "binsMaxZoom": .integer(last),
                ])
            let bins = baked.report.layers[0].bins
            #expect(bins?.maxZoom == Int(last), "from zoom \(least)")
            #expect(bins.map { $0.count > 0 } == true)
        }
    }
}
