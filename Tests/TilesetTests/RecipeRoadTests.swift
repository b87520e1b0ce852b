import ArchiveContract
import Clustering
import Expressions
import Foundation
import Geometry
import JSON
import PointInput
import Recipes
import TestSupport
import Testing

@testable import Tileset

/// Each key of a recipe, on its way to what reads and to what clusters.
struct RecipeRoadTests {
    private static func build(
        _ layer: JSONObject, tiles: JSONValue = [:],
        _ change: (inout BuildOptions) -> Void = { _ in }
    ) throws -> TilesetBuild {
        var layer = layer
        layer["name"] = "a"
        layer["sources"] = ["in.csv"]
        let recipe = try Recipe(
            reading: JSONNode(["tiles": tiles, "layers": [.object(layer)]]))
        var options = BuildOptions()
        change(&options)
        return TilesetBuild(recipe, to: "", options: options)
    }

    private static func input(
        _ layer: JSONObject, tiles: JSONValue = [:],
        _ change: (inout BuildOptions) -> Void = { _ in }
    ) throws -> InputOptions {
        let build = try build(layer, tiles: tiles, change)
        let memory = MemoryLimit(allowed: 1 << 50, threads: 1)
        return try build.inputOptions(for: build.recipe.layers[0], within: memory)
    }

    @Test func `a reader is told what the recipe says of the input`() throws {
        let input = try Self.input([
            "format": "csv", "encoding": "windows-1252", "x": "lon", "y": "lat", "id": "nr",
            "include": ["k", "n", "w"], "exclude": ["m"], "types": ["n": "integer"],
            "filter": ["==", ["get", "n"], 3], "bbox": "1,2,3,4.5", "skipInvalid": 7,
            "skipNonPoints": true, "crs": "EPSG:3857", "clusters": ["weight": "w", "wrap": false],
        ]) { options in
            (options.threads, options.temporaryDirectory) = (5, "/there")
        }
        #expect(input.format == .csv && input.encoding == TextEncoding(named: "windows-1252"))
        #expect(input.xColumn == "lon" && input.yColumn == "lat" && input.idAttribute == "nr")
        #expect(input.weightAttribute == "w" && input.included == ["k", "n", "w"])
        #expect(input.excluded == ["m"] && input.kinds == ["n": .integer])
        #expect(input.filter != nil && input.tolerance == .atMost(7) && input.skipsNonPoints)
        #expect(input.box == LonLatBox(west: 1, south: 2, east: 3, north: 4.5))
        #expect(input.crs != nil && input.keepsEastEdge && input.pointsFrom == nil)
        #expect(input.threads == 5 && input.temporaryDirectory == "/there" && input.query == nil)
        #expect(input.join == nil && input.regions == nil && input.labels.isEmpty)
    }

    @Test func `what a recipe does not say is left to the reader`() throws {
        let input = try Self.input([:])
        #expect(input.format == nil && input.encoding == nil && input.xColumn == nil)
        #expect(input.yColumn == nil && input.idAttribute == nil && input.weightAttribute == nil)
        #expect(input.included == nil && input.excluded.isEmpty && input.kinds.isEmpty)
        #expect(input.filter == nil && input.box == nil && input.crs == nil)
        #expect(input.tolerance == .none && !input.skipsNonPoints && !input.keepsEastEdge)
        #expect(input.tellsOddPlaces && input.removalMark == nil)
        // Where nothing is clustered the world wraps as well.
        #expect(try !Self.input(["clusters": false]).keepsEastEdge)
        #expect(try !Self.input(["clusters": ["wrap": true]]).keepsEastEdge)
    }

    @Test func `a reader is told which attributes a layer names`() throws {
        let asked = try Self.input([
            "dedupe": "d",
            "clusters": [
                "inherit": ["i"], "facets": ["f"], "aggregates": ["s": "sum:n"],
                "clusterProperties": ["m": ["max", ["get", "p"]]],
            ],
        ]).asked
        #expect(asked == ["d", "i", "f", "n", "p"])
        #expect(try Self.input(["clusters": false]).asked.isEmpty)
    }

    @Test func `databases and shapes are read as the recipe says`() throws {
        #expect(try Self.input(["table": "t"]).query == .table("t"))
        #expect(try Self.input(["sql": "select 1"]).query == .sql("select 1"))
        #expect(try Self.input(["pointsFrom": "centroid"]).pointsFrom == .centroid)
        #expect(try Self.input(["skipInvalid": true]).tolerance == .all)
        let labels = try Self.input(["clusters": ["facets": ["when:month", "kind"]]]).labels
        #expect(labels.count == 1)
    }

    @Test func `names that clusters have are left out where that is asked for`() throws {
        let dropped = try Self.input([
            "reservedNames": "drop", "exclude": ["m"],
            "clusters": ["fields": ["bbox"], "facets": ["kind"]],
        ]).excluded
        #expect(dropped.isSuperset(of: ["m", "cluster", "point_count", "bbox", "#kind"]))
        #expect(!dropped.contains("n"))
        #expect(!dropped.contains(PointSpread.attribute))
        let apart = try Self.input(["reservedNames": "drop"], tiles: ["spread": 20]).excluded
        #expect(apart.contains(PointSpread.attribute) && !apart.contains("#kind"))
        for choice in ["refuse", "rename"] {
            #expect(try Self.input(["reservedNames": .string(choice)]).excluded.isEmpty)
        }
    }

    @Test func `a reader stops where a build is stopped, or has no memory left`() throws {
        #expect(try !Self.input([:]).isCancelled())
        #expect(try Self.input([:]) { $0.isCancelled = { true } }.isCancelled())
        let build = try Self.build([:])
        let memory = MemoryLimit(allowed: 10, threads: 1) { 11 + MemoryLimit.processBytes }
        #expect(try build.inputOptions(for: build.recipe.layers[0], within: memory).isCancelled())
    }

    @Test func `tables and areas beside points are read from where the recipe lies`() throws {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("code,name\n1,one\n".utf8).write(to: folder.appending(path: "codes.csv"))
        let layer: JSONObject = ["join": "codes.csv:code=n"]
        #expect(try Self.input(layer) { $0.sourceDirectory = folder.path }.join != nil)
        #expect(throws: (any Error).self) { try Self.input(layer) }
        let build = try Self.build(layer) { $0.sourceDirectory = folder.path }
        #expect(build.source("-").path == nil)
        #expect(build.source("/a/b.csv").path == "/a/b.csv")
        #expect(build.source("b.csv").path == folder.path + "/b.csv")
        #expect(build.inputFiles == ["in.csv", "codes.csv"].map { "\(folder.path)/\($0)" })
        #expect(try Self.build(layer).source("b.csv").path == "b.csv")
        // Each with its size and time, where it is there.
        let states = build.inputStates
        #expect(states[0] == "\(folder.path)/in.csv")
        #expect(states[1].hasPrefix("\(folder.path)/codes.csv 16 ") && states.count == 2)
    }

    @Test func `the engine is told what the recipe says of clusters, and the plan of zooms`() throws
    {
        let build = try Self.build([
            "clusters": [
                "radius": 33, "maxZoom": 6, "minPoints": 4, "algorithm": "greedy", "wrap": false,
                "position": "anchor", "inherit": ["k"], "groupBy": "g", "weight": "w",
                "aggregates": ["s": "sum:n"], "clusterProperties": ["m": ["max", ["get", "n"]]],
            ]
        ])
        var tiles = TileOptions()
        tiles.minZoom = 2
        let plan = ZoomPlan(tiles, maxZoom: 9, reason: "")
        let options = try plan.clusterOptions(for: build.recipe.layers[0])
        #expect(options.radius.pixels(atZoom: 3) == 33 && options.algorithm == .greedy)
        #expect(options.minZoom == 2 && options.maxZoom == 6 && options.minPoints == 4)
        #expect(!options.wrap && options.position == .anchor && options.inherit == ["k"])
        #expect(options.groupBy == "g" && options.weighted && options.facets.isEmpty)
        #expect(options.aggregates.count == 1 && options.clusterProperties.count == 1)
        let bare = try plan.clusterOptions(for: Self.build([:]).recipe.layers[0])
        #expect(!bare.weighted && bare.aggregates.isEmpty && bare.maxZoom == 8 && bare.wrap)
    }
}
