import Foundation
import JSON
import Recipes
import TestSupport
import TileArchive
import Tileset

/// Archives in a folder of their own that keep their points.
final class KeptArchives {
    private let folder: URL

    init() throws { folder = try TemporaryFolder.make() }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Writes a file and returns its path.
    func write(_ name: String, _ lines: [String]) throws -> String {
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: path(name)))
        return path(name)
    }

    /// Builds an archive to zoom 3, in cells if a job is named.
    func build(_ layers: [JSONValue], to name: String, job: String? = nil) throws {
        var options = BuildOptions()
        options.keepsPoints = true
        options.cells.folder = job.map(path)
        let recipe: JSONValue = ["tiles": ["maxZoom": 3], "layers": .array(layers)]
        _ = try TilesetBuild(
            Recipe(reading: JSONNode(recipe)), to: path("\(name).pmtiles"), in: PMTiles.self,
            options: options
        ).run()
    }

    func update(_ name: String, _ request: UpdateRequest) throws -> UpdateReport {
        try TilesetUpdate(of: path("\(name).pmtiles"), request).run()
    }

    /// Whether two archives are the same to the byte.
    func areSame(_ one: String, _ other: String) throws -> Bool {
        try [".pmtiles", ".clusters.pmtiles"].allSatisfy { ending in
            let files = try [one, other].map {
                try Data(contentsOf: URL(filePath: path($0 + ending)))
            }
            return files[0] == files[1]
        }
    }
}
