import Clustering
import Points
import TestSupport
import Testing

@testable import Tileset

/// How the leaves of a layer are cut into tasks, held against a look at every cluster.
struct LeafTaskTests {
    private struct Cluster {
        var first: Int
        var leaves: Int
        var zoom: Int
    }

    /// A tree of clusters over some leaves, parents first.
    private static func clusters(
        _ leaves: Range<Int>, zoom: Int, _ random: inout SeededRandom
    ) -> [Cluster] {
        guard leaves.count > 1, zoom < 12 else { return [] }
        var all = [Cluster(first: leaves.lowerBound, leaves: leaves.count, zoom: zoom)]
        var start = leaves.lowerBound
        while start < leaves.upperBound {
            let end = min(start + 1 + Int(random.next() % UInt64(leaves.count)), leaves.upperBound)
            if end - start < leaves.count {
                all += clusters(start..<end, zoom: zoom + 1 + Int(random.next() % 2), &random)
            }
            start = end
        }
        return all
    }

    /// Where zooms 0 to 3 are above the cut: of the others the outermost.
    private static func frontier(_ all: [Cluster]) -> [Cluster] {
        var end = 0
        return all.filter { cluster in
            guard cluster.zoom >= 4, cluster.first >= end else { return false }
            end = cluster.first + cluster.leaves
            return true
        }
    }

    /// Where tasks of a size begin.
    private static func starts(of clusters: [Cluster], _ size: Int) -> [Int] {
        let large = clusters.filter { $0.leaves > 4_000 }.map(\.first).sorted()
        return large.reduce(into: [0]) { starts, first in
            if first - starts[starts.count - 1] >= size { starts.append(first) }
        }
    }

    @Test(arguments: UInt64(0)..<10)
    func `tasks begin with large clusters, each at least as far behind the one before as is asked`(
        seed: UInt64
    ) {
        var random = SeededRandom(seed: seed + 70)
        let count = 60_000
        var all: [Cluster] = []
        var start = 0
        while start < count {
            let end = min(start + 1 + Int(random.next() % 30_000), count)
            all += Self.clusters(start..<end, zoom: 0, &random)
            start = end
        }
        all.sort { ($0.first, $0.zoom) < ($1.first, $1.zoom) }
        let above = all.filter { $0.zoom < 4 }
        all = above + Self.frontier(all)
        let nodes = all.shuffled(using: &random).map {
            LargeNode(first: $0.first, leaves: $0.leaves, zoom: UInt8($0.zoom))
        }
        for size in [1, 5_000, 1 << 20] {
            let tasks = LeafTask.tasks(
                of: 1, leafCount: count, nodes, size: size)
            let starts = Self.starts(of: all, size)
            #expect(tasks.map(\.leaves.lowerBound) == starts)
            #expect(tasks.map(\.leaves.upperBound) == starts.dropFirst() + [count])
            for task in tasks {
                let first = task.leaves.lowerBound
                let open = above.filter { $0.first < first && $0.first + $0.leaves > first }
                #expect(
                    task.layer == 1 && task.open.map(\.end) == open.map { $0.first + $0.leaves })
                #expect(task.open.map { Int($0.zoom) } == open.map(\.zoom))
            }
            for _ in 0..<50 {
                let leaf = Int(random.next() % UInt64(count))
                let index = tasks.index(ofLeaf: leaf, layer: 1)
                #expect(tasks[index].leaves.contains(leaf))
            }
            #expect(tasks.index(ofLeaf: 0, layer: 0) == 0)
            #expect(tasks.index(ofLeaf: 0, layer: 2) == tasks.count)
        }
    }

    @Test func `clusters of as many leaves as a block has begin no task`() {
        for (leaves, starts) in [(4_000, [0]), (4_001, [0, 10])] {
            let tasks = LeafTask.tasks(
                of: 0, leafCount: 9_000, [LargeNode(first: 10, leaves: leaves, zoom: 3)], size: 1)
            #expect(tasks.map(\.leaves.lowerBound) == starts && tasks.allSatisfy(\.open.isEmpty))
        }
    }
}
