import Geometry
import TestSupport
import Testing
import TileArchive

@testable import Inspection

/// Figures of tiles that are put together in any order, held against a look at all of them.
struct FigureMergeTests {
    private struct Sample {
        var id: TileID
        var bytes: Int
        var nodes: [DrawnNode] = []
    }

    private static func node(
        _ x: Int32, points: Int64, id: UInt64?
    ) -> DrawnNode {
        var node = DrawnNode(
            layer: 0, position: .init(x: x, y: 5), extent: 100, hasID: id != nil, id: id ?? 0)
        node.cluster.pointCount = points
        node.cluster.isFlagged = points > 1
        return node
    }

    /// Tiles of few sizes, and clusters of few, so that many are equal.
    private static func samples(using random: inout SeededRandom) -> [Sample] {
        let ids = (UInt32(0)..<16).map { TileID(z: 2, x: $0 % 4, y: $0 / 4) }
        return ids.shuffled(using: &random).prefix(9).map { id in
            var sample = Sample(id: id, bytes: Int.random(in: 0...3, using: &random))
            for number in 0..<Int.random(in: 0...4, using: &random) {
                let x: Int32 = [-1, 0, 50, 99, 100].randomElement(using: &random)!
                let points = Int64.random(in: 1...3, using: &random)
                sample.nodes.append(node(x, points: points, id: number == 2 ? nil : UInt64(number)))
            }
            return sample
        }
    }

    private static func figures(_ sample: Sample) -> ZoomFigures {
        var figures = ZoomFigures(zoom: 2)
        figures.include(
            OpenedTile(
                group: TileGroup(sample.id), storedBytes: sample.bytes, isGzip: false,
                contents: .success([])))
        var counts = NodeCounts()
        for node in sample.nodes { counts.include(node) }
        figures.include(counts, in: sample.id)
        return figures
    }

    @Test(arguments: UInt64(0)..<60)
    func `of equals the first by key stays, whatever the order`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let samples = Self.samples(using: &random)
        var merged = ZoomFigures(zoom: 2)
        for sample in samples { merged.merge(Self.figures(sample)) }
        let byKey = samples.sorted { $0.id.comesInKeys(before: $1.id) }
        let (least, most) = (samples.map(\.bytes).min(), samples.map(\.bytes).max())
        #expect(merged.smallest?.tile == byKey.first { $0.bytes == least }?.id)
        #expect(merged.largest?.tile == byKey.first { $0.bytes == most }?.id)
        #expect(merged.smallest?.bytes == least && merged.largest?.bytes == most)
        #expect(merged.tiles == 9 && merged.bytes == samples.reduce(0) { $0 + $1.bytes })
        #expect(merged.averageBytes == merged.bytes / 9)
        #expect(
            Array(merged.sizeClasses.prefix(4)) == [
                samples.count { $0.bytes < 2 }, samples.count { $0.bytes == 2 },
                samples.count { $0.bytes == 3 }, 0,
            ])
        let inner = byKey.map { sample in
            (id: sample.id, nodes: sample.nodes.filter { (0..<100).contains($0.position.x) })
        }
        let all = inner.flatMap(\.nodes)
        #expect(merged.points == all.reduce(0) { $0 + Int($1.pointCount) })
        #expect(merged.clusters == all.count(where: \.isCluster))
        #expect(merged.copies == samples.flatMap(\.nodes).count - all.count)
        let owners = inner.filter { !$0.nodes.isEmpty }.map(\.id)
        #expect(merged.columns?.lowerBound == owners.map(\.x).min())
        #expect(merged.columns?.upperBound == owners.map(\.x).max())
        #expect(merged.rows?.lowerBound == owners.map(\.y).min())
        #expect(merged.rows?.upperBound == owners.map(\.y).max())
        let greatest = all.filter(\.isCluster).map(\.pointCount).max()
        let tile = inner.first { $0.nodes.contains { $0.isCluster && $0.pointCount == greatest } }
        let cluster = tile?.nodes.first { $0.isCluster && $0.pointCount == greatest }
        #expect(merged.largestCluster?.tile == tile?.id)
        #expect(merged.largestCluster?.points == greatest.map { Int($0) })
        #expect(merged.largestCluster?.id == cluster.flatMap { $0.hasID ? $0.id : nil })
    }

    @Test func `a zoom without tiles has no average, and sizes have their classes`() {
        #expect(ZoomFigures(zoom: 3).averageBytes == 0)
        for (bytes, power) in [
            (0, 0), (1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (1_024, 10), (1_025, 11),
            (1 << 31, 31), (1 << 31 + 1, 32), (1 << 40, 32),
        ] {
            let figures = Self.figures(Sample(id: TileID(z: 2, x: 0, y: 0), bytes: bytes))
            #expect(figures.sizeClasses.firstIndex(of: 1) == power, "\(bytes)")
            #expect(figures.sizeClasses.reduce(0, +) == 1)
        }
    }
}
