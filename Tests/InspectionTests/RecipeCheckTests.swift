import ArchiveContract
import JSON
import Recipes
import Testing
import TileArchive

@testable import Inspection

/// What an archive says of its clusters, held against its recipe option by option.
struct RecipeCheckTests {
    private static func recipe(_ tiles: JSONObject, _ clusters: JSONValue) throws -> Recipe {
        try Recipe(
            reading: JSONNode([
                "tiles": .object(tiles),
                "layers": [["name": "p", "sources": ["p.csv"], "clusters": clusters]],
            ]))
    }

    private static func description(
        minZoom: Int = 0, maxZoom: Int = 3, isClustered: Bool = true
    ) -> ClusterDescription {
        let layer = ClusterDescription.Layer(
            name: "p", leaves: 0..<9, minZoom: minZoom, maxZoom: maxZoom,
            clustering: isClustered ? .init(radius: RadiusByZoom(60), algorithm: "spaced") : nil)
        return ClusterDescription(layers: [layer], buffer: 8, extent: 4_096, ids: .placed)
    }

    /// The places at which it is another.
    private static func places(
        _ recipe: Recipe, _ description: ClusterDescription, maxZoom: UInt8? = 4,
        isWhole: Bool = true, hasLeaves: Bool = true
    ) -> [String] {
        var metadata = ArchiveMetadata(name: "a")
        metadata.maxZoom = maxZoom
        metadata.tileStats = isWhole ? ["layerCount": 1] : nil
        var findings = FindingList()
        RecipeCheck(description: description, metadata: metadata, hasLeaves: hasLeaves)
            .check(recipe, &findings)
        let all = findings.all
        #expect(all.count < 2 && all.allSatisfy { $0.code == "recipe" && $0.severity == .error })
        return all.first?.locations ?? []
    }

    private typealias Change = (inout ClusterDescription) -> Void

    @Test func `each option that is another is named`() throws {
        let recipe = try Self.recipe(["maxZoom": 4], ["radius": 60])
        #expect(Self.places(recipe, Self.description()) == [])
        // A conversion may have left the answers out.
        #expect(Self.places(recipe, Self.description(), hasLeaves: false) == [])
        let bare = try Self.recipe(["maxZoom": 4, "leaves": false], ["radius": 60])
        #expect(Self.places(bare, Self.description()) == ["leaves"])
        let changes: [([String], Change)] = [
            (["its layers"], { $0.layers[0].name = "q" }), (["buffer"], { $0.buffer = 9 }),
            (["extent"], { $0.extent = 512 }), ([], { $0.extent = nil }),
            (["variableDepth"], { $0.variableDepth = 3 }),
            (["p.spread"], { $0.layers[0].spread = 30 }),
            (["p.bins"], { $0.layers[0].bins = .init(Bins(.hexagon), maxZoom: 2) }),
            (["p.heat"], { $0.layers[0].heatMaxZoom = 3 }),
            (["p.clustered", "p.maxZoom"], { $0.layers[0].clustering = nil }),
            (["p.radius"], { $0.layers[0].clustering?.radius = RadiusByZoom(61) }),
            (
                ["p.radius"],
                {
                    let stops = [(0, 60.0), (31, 61)].map { (zoom: $0.0, pixels: $0.1) }
                    $0.layers[0].clustering?.radius = RadiusByZoom(stops: stops)!
                }
            ),
            (["p.minPoints"], { $0.layers[0].clustering?.minPoints = 3 }),
            (["p.algorithm"], { $0.layers[0].clustering?.algorithm = "greedy" }),
            (["p.wrap"], { $0.layers[0].clustering?.wrap = false }),
            (["p.keepCoincident"], { $0.layers[0].clustering?.keepCoincident = true }),
            (["p.minUniqueLocations"], { $0.layers[0].clustering?.minUniqueLocations = 2 }),
            (["p.groupBy"], { $0.layers[0].clustering?.groupBy = "x" }),
            (["p.countLetters"], { $0.layers[0].clustering?.countLetters = .large }),
            (["p.groups"], { $0.layers[0].clustering?.groups = 2 }),
            (["p.minZoom"], { $0.layers[0].minZoom = 1 }),
            (["p.maxZoom"], { $0.layers[0].maxZoom = 2 }),
        ]
        for (places, change) in changes {
            var description = Self.description()
            change(&description)
            #expect(Self.places(recipe, description) == places)
        }
    }

    @Test func `a layer that is not clustered has no zoom of clusters`() throws {
        let recipe = try Self.recipe(["minZoom": 2, "maxZoom": 4], false)
        for (minZoom, maxZoom, places) in [
            (2, 1, []), (2, 2, ["p.maxZoom"]), (2, 0, ["p.maxZoom"]), (1, 1, ["p.minZoom"]),
        ] as [(Int, Int, [String])] {
            let plain = Self.description(minZoom: minZoom, maxZoom: maxZoom, isClustered: false)
            #expect(Self.places(recipe, plain) == places)
        }
        #expect(
            Self.places(recipe, Self.description(minZoom: 2, maxZoom: 1)) == ["p.clustered"])
    }

    @Test func `what stands beside a layer is what was asked for`() throws {
        for (tiles, change, places) in [
            (["heat": true], { $0.layers[0].heatMaxZoom = 3 }, []),
            (["heat": true], { $0.layers[0].heatMaxZoom = 2 }, ["p.heat"]),
            (["heat": true], { _ in }, ["p.heat"]),
            (["spread": 20], { $0.layers[0].spread = 20 }, []),
            (["spread": 20], { $0.layers[0].spread = 21 }, ["p.spread"]),
            (
                ["bins": "square:64"],
                { $0.layers[0].bins = .init(Bins(.square, pixels: 64), maxZoom: 2) }, []
            ),
            (
                ["bins": "square:64"],
                { $0.layers[0].bins = .init(Bins(.hexagon, pixels: 64), maxZoom: 2) }, ["p.bins"]
            ),
            (["bins": "square:64"], { _ in }, ["p.bins"]),
            // Of no point there are none.
            (["bins": "square:64"], { $0.layers[0].leaves = 0..<0 }, []),
            (["variableDepth": true], { $0.variableDepth = 3 }, []),
            (["variableDepth": true], { $0.variableDepth = 2 }, ["variableDepth"]),
        ] as [(JSONObject, Change, [String])] {
            var all = tiles
            all["maxZoom"] = 4
            var description = Self.description()
            change(&description)
            #expect(
                try Self.places(Self.recipe(all, ["radius": 60]), description) == places, "\(tiles)"
            )
        }
        // Without a zoom for clusters there are no finer counts.
        let single = try Self.recipe(["minZoom": 4, "maxZoom": 4, "heat": true], ["radius": 60])
        #expect(Self.places(single, Self.description(minZoom: 4, maxZoom: 3)) == [])
    }

    @Test func `clusters form down to the zoom that follows from all that is said`() throws {
        for (tiles, clusters, said, maxZoom, isWhole, isRight) in [
            (["maxZoom": 4], ["radius": 60], 3, 4, true, true),
            (["maxZoom": 4], ["radius": 60, "maxZoom": 2], 2, 4, true, true),
            (["maxZoom": 4], ["radius": 60, "maxZoom": 2], 3, 4, true, false),
            (["maxZoom": 4], ["radius": 60, "maxZoom": 4], 4, 4, true, true),
            (["maxZoom": "auto"], ["radius": 60], 5, 6, true, true),
            (["maxZoom": "auto"], ["radius": 60], 6, 6, true, false),
            (["maxZoom": "auto"], ["radius": 60], 4, 6, true, false),
            // Of a part the deepest zooms may have been cut off.
            (["maxZoom": "auto"], ["radius": 60], 5, 6, false, true),
            (["maxZoom": "auto"], ["radius": 60], 8, 6, false, true),
            (["maxZoom": "auto"], ["radius": 60], 4, 6, false, false),
        ] as [(JSONObject, JSONValue, Int, UInt8, Bool, Bool)] {
            let places = try Self.places(
                Self.recipe(tiles, clusters), Self.description(maxZoom: said), maxZoom: maxZoom,
                isWhole: isWhole)
            #expect(places == (isRight ? [] : ["p.maxZoom"]), "\(tiles) \(clusters) \(said)")
        }
    }

    @Test func `an archive that says no recipe, or none that can be read, is told of`() {
        var metadata = ArchiveMetadata(name: "a")
        var findings = FindingList()
        #expect(RecipeCheck.recipe(of: metadata, &findings) == nil)
        #expect(findings.all.map(\.severity) == [.warning])
        metadata.generatorOptions = "{"
        #expect(RecipeCheck.recipe(of: metadata, &findings) == nil)
        #expect(findings.all.map(\.severity) == [.error, .warning])
        metadata.generatorOptions = #"{"layers":[{"name":"p","sources":["p.csv"]}]}"#
        #expect(RecipeCheck.recipe(of: metadata, &findings)?.layers.map(\.name) == ["p"])
        #expect(findings.all.count == 2)
    }
}
