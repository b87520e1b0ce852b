import ArchiveContract
import ClusterQueries
import JSON
import TestSupport
import Testing
import TileArchive

@testable import Conversion

/// Questions to archives that are taken for one, against the same to the archive that they are joined into.
struct TakenForOneTests {
    let files = try! BakedFiles()

    private func parts() throws -> [Archive] {
        let tiles: JSONValue = ["maxZoom": 4]
        return try [
            files.build(
                "a.mbtiles", [("bars", files.points("bars", count: 90, seed: 1))], tiles: tiles),
            files.build(
                "b.pmtiles",
                [
                    ("inns", files.points("inns", count: 70, seed: 2)),
                    ("bars", files.points("more", count: 60, seed: 3)),
                ], tiles: tiles),
        ]
    }

    @Test func `clusters, leaves and places are those of the joined archive`() throws {
        let parts = try parts()
        let path = files.file("joined.pmtiles")
        _ = try ArchiveJoin(parts, to: path, in: PMTiles.self).run()
        let written = try Archive(path: path)
        let contents = JoinedContents(
            parts, written.metadata, JoinPlan(parts), compression: PackingLevel.usual)
        let both = Archive(contents, named: "both", path: "both")
        var known = try ClusterQuery(written)
        var asked = try ClusterQuery(both)
        let count = known.description.leafCount
        #expect(count == 220 && asked.description.layers == known.description.layers)
        var random = SeededRandom(seed: 6)
        let rows = try Contents(of: written).clusters.shuffled(using: &random)
        for case .cluster(let record) in rows {
            let id = known.description.id(of: record)
            #expect(try asked.cluster(id) == known.cluster(id))
            #expect(try asked.parent(of: id) == known.parent(of: id))
            let children = try asked.children(of: id)
            #expect(try children.nodes == known.children(of: id).nodes)
            #expect(try asked.hull(of: id) == known.hull(of: id))
            #expect(try asked.box(of: id) == known.box(of: id))
            let leaves = try asked.leaves(of: id, limit: 5).map { "\($0)" }
            #expect(try leaves == known.leaves(of: id, limit: 5).map { "\($0)" })
        }
        for leaf in 0..<count {
            for zoom in [0, 2, 4, 9] {
                let node = try asked.node(holding: leaf, at: zoom)
                #expect(try node == known.node(holding: leaf, at: zoom), "\(leaf) \(zoom)")
            }
        }
        let unknown = try #require(known.description.layers.last?.leaves.upperBound)
        #expect(throws: ClusterQueryError.self) { _ = try asked.node(holding: unknown, at: 2) }
        #expect(throws: ClusterQueryError.self) { _ = try asked.cluster(7) }
    }
}
