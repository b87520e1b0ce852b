import ArchiveContract
import ClusterQueries
import Geometry
import JSON
import TileArchive
import Testing

/// Boxes of clusters in layers that do not wrap, where points lie on both sides of the antimeridian.
struct FlatBoxTests {
    @Test(arguments: ["a.mbtiles", "b.pmtiles", "c/"])
    func `a box that does not wrap goes from the westernmost to the easternmost point`(
        name: String
    ) throws {
        let sample = try RandomArchive(
            name, seed: 7, algorithm: "spaced", asksForFields: true, radius: 900, wraps: false)
        var query = try ClusterQuery(sample.archive)
        guard var payloads = try sample.archive.openPayloads() else {
            Issue.record("no payloads")
            return
        }
        var crossing = 0
        for number in 0..<payloads.table.count
        where try payloads.block(number).index.hull.contains(where: { $0.x >= 1 << 30 }) {
            crossing += 1
        }
        #expect(crossing > 0 && crossing < payloads.table.count)
        var widest = 0.0
        for (node, _) in sample.clusters {
            let wanted = WorldBox(around: sample.places(node.leaves)).lonLatBox
            #expect(try query.box(of: Int64(node.id)) == wanted)
            guard case .string(let text)? = node.tags["bbox"] else {
                Issue.record("no bbox")
                continue
            }
            let edges = try JSONValue(parsing: text).asArray?.compactMap(\.asNumber) ?? []
            let sides = [wanted.west, wanted.south, wanted.east, wanted.north]
            #expect(zip(edges, sides).allSatisfy { abs($0 - $1) < 1e-6 } && edges.count == 4)
            widest = max(widest, wanted.width)
        }
        #expect(widest > 350)
    }
}
