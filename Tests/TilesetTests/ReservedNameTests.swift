import Geometry
import JSON
import Testing
import Tileset

/// Attributes of the input that are called as clusters' own.
struct ReservedNameTests {
    static let points = [
        SamplePoint(
            place: LonLat(longitude: 1, latitude: 2),
            properties: [("name", "a"), ("point_count", 7), ("cluster", true)]),
        SamplePoint(place: LonLat(longitude: 100, latitude: 2), properties: [("name", "b")]),
    ]

    static func tags(_ choice: String?, _ keys: JSONObject = [:]) throws -> [Set<String>] {
        var layer = keys
        layer["reservedNames"] = choice.map(JSONValue.string)
        let baked = try BakedArchive(points, layer: .object(layer), tiles: ["maxZoom": 3])
        return baked.nodes(at: 3).sorted { $0.tile.x < $1.tile.x }.map { Set($0.tags.keys) }
    }

    @Test(arguments: [nil, "refuse"])
    func `they are refused by name unless a choice says what to do`(choice: String?) throws {
        #expect(
            throws: BuildError.reservedNames(["cluster", "point_count"], layer: "points")
        ) { try Self.tags(choice) }
    }

    @Test func `they are renamed, to names that nothing has`() throws {
        #expect(
            try Self.tags("rename")
                == [["name", "input_point_count", "input_cluster"], ["name"]])
    }

    @Test func `they are dropped, which an exclusion does as well`() throws {
        #expect(try Self.tags("drop") == [["name"], ["name"]])
        #expect(
            try Self.tags(nil, ["exclude": ["point_count", "cluster"]]) == [["name"], ["name"]])
    }

    @Test(arguments: ["rename", "drop"])
    func `points may be weighed by one of them`(choice: String) throws {
        let baked = try BakedArchive(
            Self.points,
            layer: [
                "reservedNames": .string(choice),
                "clusters": ["weight": "point_count", "radius": 400, "fields": ["point_weight"]],
            ], tiles: ["maxZoom": 3])
        #expect(baked.nodes(at: 0).map { $0.integer("point_weight") } == [8])
    }

    @Test func `a group's value is carried by its clusters`() throws {
        let points = SamplePoint.towns(200, seed: 3)
        let baked = try BakedArchive(
            points, layer: ["clusters": ["groupBy": "kind", "radius": 200]],
            tiles: ["maxZoom": 3])
        let clusters = baked.nodes(at: 0).filter(\.isCluster)
        #expect(clusters.count > 3)
        var counts: [String: Int] = [:]
        for node in baked.nodes(at: 0) {
            guard case .string(let kind)? = node.tags["kind"] else {
                Issue.record("a feature without its group")
                continue
            }
            counts[kind, default: 0] += node.pointCount
        }
        let wanted = Dictionary(grouping: points) { $0.properties[1].1.asString ?? "" }
        #expect(counts == wanted.mapValues(\.count))
    }

    @Test(arguments: [("k", "1.5k"), ("K", "1.5K"), ("none", "1500")])
    func `counts are shortened with the letters that were asked for`(
        letters: String, text: String
    ) throws {
        let points = Array(
            repeating: SamplePoint(place: LonLat(longitude: 7, latitude: 46)), count: 1_500)
        let baked = try BakedArchive(
            points, layer: ["clusters": ["countLetters": .string(letters)]],
            tiles: ["maxZoom": 1])
        #expect(
            baked.nodes(at: 0).map { $0.tags["point_count_abbreviated"] } == [.string(text)])
    }
}
