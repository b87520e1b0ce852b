import ClusterQueries
import Foundation
import Geometry
import JSON
import Recipes
import Testing
import TileArchive
import Tileset

/// Points on the antimeridian, which is the edge of the world.
struct MeridianTests {
    @Test func `a box that ends at 180° holds the points there`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "covey-meridian-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appending(path: "p.csv")
        try "lon,lat\n180,10\n-180,11\n179.9999,12\n-179.9999,13\n".write(
            to: source, atomically: true, encoding: .utf8)
        let recipe = try Recipe(
            reading: JSONNode([
                "tiles": ["maxZoom": 2],
                "layers": [["name": "p", "sources": [.string(source.path)]]],
            ]))
        let path = folder.appending(path: "p.mbtiles").path
        _ = try TilesetBuild(recipe, to: path, in: MBTiles.self).run()
        var query = try ClusterQuery(Archive(path: path))
        let blocks = try query.blockBoxes()
        for (west, east, count) in [
            (170.0, 180.0, 3), (180, 180, 2), (-180, -170, 3), (170, -170, 4), (-180, 180, 4),
            (0, 179, 0),
        ] {
            let box = LonLatBox(west: west, south: 0, east: east, north: 20)
            let page = try query.leaves(in: box, from: 0, limit: 9, among: blocks)
            #expect(page.leaves.count == count, "\(west) to \(east)")
        }
    }
}
