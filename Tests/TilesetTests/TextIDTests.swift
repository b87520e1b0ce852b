import Foundation
import JSON
import Recipes
import TestSupport
import Testing
import TileArchive
import Tileset

/// Updates of points whose ids come from an attribute with numbers and texts, of which only numbers can be ids.
struct TextIDTests {
    private let folder: URL

    init() throws { folder = try TemporaryFolder.make() }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func write(_ name: String, _ rows: [String]) throws -> String {
        let text = (["lon,lat,ref,n"] + rows).joined(separator: "\n")
        try Data(text.utf8).write(to: URL(filePath: path(name)))
        return path(name)
    }

    private func build(_ rows: [String], to name: String, _ options: BuildOptions) throws {
        let file = try write("points.csv", rows)
        let recipe: JSONValue = [
            "tiles": ["maxZoom": 3],
            "layers": [["name": "a", "sources": [.string(file)], "id": "ref"]],
        ]
        _ = try TilesetBuild(
            Recipe(reading: JSONNode(recipe)), to: path(name), in: PMTiles.self, options: options
        ).run()
    }

    @Test(arguments: [nil, "ref"] as [String?], [false, true])
    func `a text that cannot be an id tells points apart as well`(
        key: String?, isInJob: Bool
    ) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var options = BuildOptions()
        options.keepsPoints = true
        var kept = options
        if isInJob { kept.cells.folder = path("job") }
        try build(["1,1,x1,5", "2,1,x2,6", "3,1,x3,7"], to: "a.pmtiles", kept)
        var request = UpdateRequest()
        if let key { request.identity = .attribute(key) }
        request.sources = [try write("changes.csv", ["9,1,x1,7"])]
        request.deletions = [PointKey(spelling: "x2")]
        let report = try TilesetUpdate(of: path("a.pmtiles"), request).run()
        #expect((report.added, report.replaced, report.removed) == (0, 1, 1))
        try build(["9,1,x1,7", "3,1,x3,7"], to: "b.pmtiles", options)
        let files = try ["a", "b"].map {
            try Data(contentsOf: URL(filePath: path("\($0).pmtiles")))
        }
        #expect(files[0] == files[1])
    }
}
