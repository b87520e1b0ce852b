import Foundation
import JSON
import Recipes
import TestSupport
import TileArchive
import Testing

@testable import Tileset

extension CellBuildTests {
    /// Builds the same layers into archives of one folder.
    final class Builds: Sendable {
        let folder: URL
        let recipe: Recipe

        init(_ layers: [(points: [SamplePoint], settings: JSONValue)], tiles: JSONValue) throws {
            let folder = try TemporaryFolder.make()
            self.folder = folder
            let documents = try layers.enumerated().map { index, layer in
                let input = folder.appendingPathComponent("in\(index).geojsonl")
                try layer.points.map(\.line).joined(separator: "\n").write(
                    to: input, atomically: true, encoding: .utf8)
                var object = layer.settings.asObject ?? JSONObject()
                object["name"] = .string("layer\(index)")
                object["sources"] = [.string(input.path)]
                return JSONValue.object(object)
            }
            recipe = try Recipe(
                reading: JSONNode(["tiles": tiles, "layers": .array(documents)]))
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

        func build(
            _ name: String, _ cells: CellOptions = CellOptions(),
            in container: any ArchiveContainer.Type = MBTiles.self
        ) throws -> BuildReport {
            var options = BuildOptions()
            options.cells = cells
            options.replacesExisting = true
            return try TilesetBuild(recipe, to: path(name), in: container, options: options).run()
        }

        /// A job that is planned.
        func plan(
            zoom: Int, leavesInTask: Int? = nil, levelZooms: Int? = nil,
            progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }
        ) throws -> CellBuild {
            var options = BuildOptions()
            (options.cells.zoom, options.cells.leavesInTask) = (zoom, leavesInTask)
            options.cells.levelZooms = levelZooms
            options.cells.folder = path("job")
            try TilesetBuild(recipe, to: "", options: options).planCells()
            return try CellBuild(in: path("job"), options: options, progress: progress)
        }

        /// One whose cells have their tiles.
        func tiled(
            zoom: Int, leavesInTask: Int? = nil, levelZooms: Int? = nil,
            progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }
        ) throws -> CellBuild {
            let cells = try plan(
                zoom: zoom, leavesInTask: leavesInTask, levelZooms: levelZooms, progress: progress)
            try cells.cluster()
            try cells.top()
            try cells.tiles()
            return cells
        }

        /// One of which no more is to be done than to put the archive together.
        func indexed(
            zoom: Int, progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }
        ) throws -> CellBuild {
            let cells = try tiled(zoom: zoom, progress: progress)
            try cells.index()
            return cells
        }

        /// Whether a build in cells of a zoom is the same as one that is not cut.
        func areSameCut(zoom: Int) throws -> Bool {
            var cells = CellOptions()
            cells.zoom = zoom
            _ = try build("whole.mbtiles")
            _ = try build("cut.mbtiles", cells)
            return try areSame("whole.mbtiles", "cut.mbtiles")
        }

        func bytes(_ name: String) throws -> Data {
            try Data(contentsOf: folder.appendingPathComponent(name))
        }

        /// Whether two archives are the same to the byte; a test that fails does not tell all of them.
        func areSame(_ first: String, _ second: String) throws -> Bool {
            try bytes(first) == bytes(second)
        }
    }

    /// The folder of a job's files.
    static func files(of job: String) throws -> String {
        let folders = try FileManager.default.contentsOfDirectory(atPath: job)
            .filter { !$0.hasPrefix("plan.json") && $0 != "parts" }
        try #require(folders.count == 1)
        return "\(job)/\(folders[0])"
    }
}
