import Foundation
import JSON
import Recipes
import TestSupport
import Testing
import TileArchive
import Tileset

/// Layers that share attributes, some of which must be renamed.
struct RenamedLayerTests {
    private let folder: URL

    init() throws { folder = try TemporaryFolder.make() }

    /// Writes and builds layers whose points have the attribute `point_count`, but for those of the layer C.
    /// - Parameter gone: a point that the first layer lacks.
    private func build(
        _ layers: String, without gone: Int? = nil, to name: String, _ options: BuildOptions
    ) throws {
        for layer in layers {
            let taken = layer == "C" ? "" : #","point_count":7"#
            let ids = (1...4).filter { $0 != gone || layer != layers.first }
            let lines = ids.map { id in
                #"{"type":"Feature","id":\#(id),"geometry":{"type":"Point","coordinates":[\#(id),1]},"#
                    + #""properties":{"n":1\#(taken)}}"#
            }
            try Data(lines.joined(separator: "\n").utf8)
                .write(to: folder.appending(path: "\(layer).geojsonl"))
        }
        let parts = layers.map { layer -> JSONValue in
            [
                "name": .string("\(layer)"), "reservedNames": "rename",
                "sources": [.string(path("\(layer).geojsonl"))],
            ]
        }
        let recipe: JSONValue = ["tiles": ["maxZoom": 3], "layers": .array(parts)]
        _ = try TilesetBuild(
            Recipe(reading: JSONNode(recipe)), to: path(name), in: PMTiles.self, options: options
        ).run()
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func expectEqual(_ one: String, _ other: String) throws {
        for ending in [".pmtiles", ".clusters.pmtiles"] {
            let files = try [one, other].map {
                try Data(contentsOf: URL(filePath: path($0 + ending)))
            }
            #expect(files[0] == files[1], "\(one) and \(other)")
        }
    }

    @Test(arguments: ["AB", "CA", "AC", "ACB", "ABC"], [false, true])
    func `updates and builds in cells name attributes as a build does`(
        layers: String, isInJob: Bool
    ) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var options = BuildOptions()
        options.keepsPoints = true
        var kept = options
        if isInJob { kept.cells.folder = path("job") }
        try build(layers, to: "kept.pmtiles", kept)
        try build(layers, to: "plain.pmtiles", options)
        try expectEqual("kept", "plain")
        // One that is not there goes from each layer, and then one from the first.
        var steps = layers.map { (layer: $0, id: UInt64(99)) }
        if let first = layers.first { steps.append((first, 2)) }
        for (layer, id) in steps {
            var request = UpdateRequest()
            request.layer = "\(layer)"
            request.deletions = [.number(id)]
            _ = try TilesetUpdate(of: path("kept.pmtiles"), request).run()
        }
        try build(layers, without: 2, to: "rest.pmtiles", options)
        try expectEqual("kept", "rest")
    }
}
