import MessageTiles
import Testing
import VectorTile

@testable import Inspection

/// What the tags of a feature say of a cluster, in whatever order they come.
struct ClusterKeyTests {
    private func marks(
        _ tags: [Tile.Tag], countsWithoutFlag: Bool = false
    ) throws -> (marks: ClusterMarks, areThere: Bool, abbreviated: Int) {
        let feature = Tile.Feature(.points([TilePoint(x: 1, y: 1)]), tags: tags)
        let bytes = Tile(layers: [Tile.Layer(name: "a", features: [feature])]).packed()
        var reader = try TileReader(bytes.span)
        var marks = ClusterMarks()
        guard let layer = try reader.nextLayer() else { throw NoFeature() }
        let keys = ClusterKeyIndices(of: layer, countsWithoutFlag: countsWithoutFlag)
        var features = layer.features()
        guard let feature = try features.next() else { throw NoFeature() }
        var cursor = feature.tags()
        while let tag = try cursor.next() { keys.note(tag, of: layer, in: &marks) }
        return (marks, keys.areThere, keys.abbreviatedKey)
    }

    private struct NoFeature: Error {}

    @Test func `every mark is read wherever its key stands`() throws {
        var tags: [Tile.Tag] = [
            Tile.Tag("cluster", .bool(true)), Tile.Tag("cluster_id", .uint(7)),
            Tile.Tag("point_count", .int(12)), Tile.Tag("point_count_abbreviated", .string("12")),
            Tile.Tag("expansion_zoom", .sint(5)), Tile.Tag("clustering", .uint(90)),
            Tile.Tag("", .uint(91)),
        ]
        for _ in tags.indices {
            let (marks, areThere, abbreviated) = try marks(tags)
            #expect(areThere && marks.isFlagged && marks.isCluster && !marks.hasFraction)
            #expect(marks.pointCount == 12 && marks.id == 7 && marks.expansionZoom == 5)
            #expect(abbreviated == tags.firstIndex { $0.key == "point_count_abbreviated" })
            tags.append(tags.removeFirst())
        }
    }

    @Test func `a count makes a cluster only with a flag, or where it needs none`() throws {
        let count = Tile.Tag("point_count", .uint(3))
        for flag in ["cluster", "clustered"] {
            for tags in [
                [count, Tile.Tag(flag, .bool(true))], [Tile.Tag(flag, .bool(true)), count],
            ] {
                #expect(try marks(tags).areThere && marks(tags).marks.isCluster)
            }
            #expect(try !marks([Tile.Tag(flag, .bool(true))]).areThere)
            #expect(try !marks([count, Tile.Tag(flag, .bool(false))]).marks.isFlagged)
            #expect(try !marks([count, Tile.Tag(flag, .uint(1))]).marks.isFlagged)
        }
        #expect(try !marks([count]).areThere)
        #expect(try marks([count], countsWithoutFlag: true).areThere)
    }

    @Test func `a number that is none, or no count, is taken for absent`() throws {
        for (value, count) in [
            (.uint(1), 1), (.uint(0), 0), (.int(-1), 0), (.uint(1 << 40), 1 << 40),
            (.uint(1 << 40 + 1), 0), (.uint(.max), 0), (.double(4), 4), (.float(4), 4),
            (.double(4.5), 0), (.float(.nan), 0), (.string("4"), 0), (.bool(true), 0),
        ] as [(TileValue, Int64)] {
            let read = try marks([Tile.Tag("point_count", value)]).marks
            #expect(read.pointCount == count, "\(value)")
        }
        for name in ["cluster_id", "expansion_zoom"] {
            let absent = try marks([Tile.Tag(name, .string("4"))]).marks
            #expect(absent.id == -1 && absent.expansionZoom == -1 && !absent.hasFraction)
        }
        for value in [.double(4), .float(4)] as [TileValue] {
            #expect(try marks([Tile.Tag("cluster_id", value)]).marks.hasFraction)
        }
    }
}
