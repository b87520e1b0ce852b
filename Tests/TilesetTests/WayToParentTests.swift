import ArchiveContract
import Geometry
import Testing
import TileArchive

/// What clusters say of the one that they go into, by the places in the index.
struct WayToParentTests {
    @Test func `a cluster tells its parent, and how many pixels away that is drawn`() throws {
        let baked = try BakedArchive(
            SamplePoint.towns(900, seed: 12),
            layer: ["clusters": ["radius": 60, "fields": ["parent", "parent_dx", "parent_dy"]]],
            tiles: ["maxZoom": 7])
        var index = try baked.archive.openClusters()
        var (checked, far) = (0, 0)
        for zoom in UInt8(0)...7 {
            for node in baked.nodes(at: zoom) where node.isCluster {
                let id = Int64(try #require(node.integer("cluster_id")))
                let record = try index.cluster(id)
                guard let parent = try index.parent(of: id) else {
                    #expect(node.tags["parent"] == nil && node.tags["parent_dx"] == nil)
                    continue
                }
                #expect(
                    node.integer("parent").map { Int64($0) } == index.description.id(of: parent))
                // In pixels of 512 to a tile, of the first zoom that draws the cluster.
                let world = 512 * Double(1 << parent.expansionZoom)
                var east = Double(parent.position.x - record.position.x) / GridPoint.steps
                east -= east.rounded()
                let south = Double(parent.position.y - record.position.y) / GridPoint.steps
                for (name, way) in [("parent_dx", east * world), ("parent_dy", south * world)] {
                    let told = Double(try #require(node.integer(name)))
                    #expect(abs(told - way) <= 0.5 + world / GridPoint.steps)
                    if abs(told) > 40 { far += 1 }
                }
                checked += 1
            }
        }
        #expect(checked > 30 && far > 5)
    }
}
