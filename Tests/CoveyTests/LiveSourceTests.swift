import Foundation
import JSON
import Testing

/// An imported style's tiles beside the clusters that Supercluster makes of the same points.
struct LiveSourceTests {
    struct Zoom: Equatable {
        var clusters = 0
        var points = 0
        var largest = 0
    }

    /// The clustering tests' points and reference answers.
    static func lines(of name: String) throws -> [[Substring]] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "ClusteringTests/Resources/\(name).csv")
        return try String(contentsOf: file, encoding: .utf8)
            .split(separator: "\n").map { $0.split(separator: ",") }
    }

    static func geojson(of name: String) throws -> String {
        let features = try lines(of: name).map { cells in
            #"{"type":"Feature","properties":{},"geometry":"#
                + #"{"type":"Point","coordinates":[\#(cells[0]),\#(cells[1])]}}"#
        }
        return #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
    }

    /// Clusters and points by zoom, as the reference has them.
    static func reference(_ name: String) throws -> [Int: Zoom] {
        var zooms: [Int: Zoom] = [:]
        for cells in try lines(of: name).dropFirst() {
            let zoom = try #require(Int(cells[0]))
            let count = try #require(Int(cells[2]))
            var figures = zooms[zoom] ?? Zoom()
            if count == 1 {
                figures.points += 1
            } else {
                figures.clusters += 1
                figures.largest = max(figures.largest, count)
            }
            zooms[zoom] = figures
        }
        return zooms
    }

    @Test(arguments: [
        ("ports", 50, 14, 2, "ports-r50-z14"), ("places", 40, 16, 2, "places-r40-z16"),
        ("places", 40, 16, 5, "places-r40-z16-min5"),
    ])
    func `an imported source has the clusters that it had live`(
        points: String, radius: Int, maxZoom: Int, minPoints: Int, answer: String
    ) throws {
        let terminal = try Terminal()
        try terminal.write(try Self.geojson(of: points), to: "points.geojson")
        try terminal.write(
            """
            {"version": 8, "layers": [], "sources": {"p": {"type": "geojson",
              "data": "points.geojson", "cluster": true, "clusterRadius": \(radius),
              "clusterMaxZoom": \(maxZoom), "clusterMinPoints": \(minPoints)}}}
            """, to: "style.json")
        #expect(
            try terminal.covey("recipe", "import", "style.json", "-o", "r.json").exitCode == 0)
        let built = try terminal.covey("build", "r.json", "-o", "out.mbtiles", "--json", "--quiet")
        let report = try JSONValue(parsing: built.output).asObject
        var zooms: [Int: Zoom] = [:]
        for zoom in report?["zooms"]?.asArray?.compactMap(\.asObject) ?? [] {
            func figure(_ key: String) -> Int { Int(zoom[key]?.asNumber ?? -1) }
            let largest = zoom["largest_cluster"]?.asObject?["point_count"]?.asNumber
            zooms[figure("zoom")] = Zoom(
                clusters: figure("clusters"), points: figure("single_points"),
                largest: Int(largest ?? 0))
        }
        // One zoom past the clusters, all have come apart.
        #expect(zooms.removeValue(forKey: maxZoom + 1)?.clusters == 0)
        #expect(try zooms == Self.reference(answer))
    }
}
