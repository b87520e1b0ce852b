import Clustering
import Points
import TestSupport
import Testing

struct HoldingTests {
    /// A random zoom for each cluster that is no deeper than its own and no shallower than the
    /// zooms around it; some clusters are left out.
    static func zooms(for tree: ClusterTree, using random: inout SeededRandom) -> [Int8?] {
        (0..<tree.clusterCount).map { cluster in
            guard random.next() % 4 != 0 else { return nil }
            let deepest = tree.zooms[cluster]
            return random.next() % 2 == 0
                ? deepest : Int8.random(in: Int8(tree.minZoom) - 1...deepest, using: &random)
        }
    }

    /// For each kept cluster the one that it was; a cluster is kept if it goes deeper than all
    /// kept ones around it.
    static func kept(_ tree: ClusterTree, _ zooms: [Int8?]) -> [Int] {
        var depths: [Int8] = []
        return (0..<tree.clusterCount).filter { cluster in
            let parent = tree.parents[cluster]
            let outer =
                parent == ClusterTree.noParent ? Int8(tree.minZoom) - 1 : depths[Int(parent)]
            depths.append(max(outer, zooms[cluster] ?? outer))
            return depths[cluster] > outer
        }
    }

    @Test(arguments: 0..<8)
    func `a tree held together is a tree of the same points`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<15 {
            let points = Samples.random(Int.random(in: 0...60, using: &random), using: &random)
            var options = ReferenceTests.options(using: &random)
            options.groupBy =
                points.contains { $0.has("kind") } && random.next() % 2 == 0 ? "kind" : nil
            options.aggregates = [try Aggregate(parsing: "s=sum:value")]
            let tree = try ClusterTree(of: Samples.table(points), options: options, threads: 1)
            let zooms = Self.zooms(for: tree, using: &random)
            let held = tree.holding { zooms[$0] }
            ReferenceTests.checkInvariants(of: held, points, options)
            let kept = Self.kept(tree, zooms)
            try #require(held.clusterCount == kept.count)
            Self.checkClusters(of: held, tree, kept, zooms)
            Self.checkSums(of: held, points.count)
            Self.checkGroups(of: held, tree)
        }
    }

    private static func checkClusters(
        of held: ClusterTree, _ tree: ClusterTree, _ kept: [Int], _ zooms: [Int8?]
    ) {
        for (cluster, old) in kept.enumerated() {
            #expect(held.zooms[cluster] == zooms[old])
            #expect(held.leafRange(of: cluster) == tree.leafRange(of: old))
            #expect(held.xs[cluster] == tree.xs[old] && held.ys[cluster] == tree.ys[old])
            #expect(held.weights?[cluster] == tree.weights?[old])
            #expect(
                DeterminismTests.record(held.attributes, cluster)
                    == DeterminismTests.record(tree.attributes, old))
        }
        let ids = kept.indices.map { (held.firsts[$0], held.zooms[$0]) }
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
        for leaf in 0..<held.leafCount {
            #expect(held.leafRows[leaf] == tree.leafRows[leaf])
            // The innermost kept cluster around a leaf is its parent.
            let around = TreeQueryTests.ancestors(of: leaf, in: tree)
            let inner = around.lazy.compactMap { kept.firstIndex(of: $0) }.first
            #expect(held.parent(of: .leaf(leaf)) == inner)
            let zoom = inner.map { held.zooms[$0] } ?? Int8(held.minZoom - 1)
            #expect(held.leafParentZooms[leaf] == zoom)
        }
    }

    private static func checkSums(of tree: ClusterTree, _ count: Int) {
        for zoom in tree.minZoom...16 {
            let sum = tree.nodes(at: zoom).reduce(0) { sum, node in
                guard case .cluster(let cluster) = node else { return sum + 1 }
                #expect(Int(tree.parentZooms[cluster]) < zoom && zoom <= Int(tree.zooms[cluster]))
                return sum + tree.leafRange(of: cluster).count
            }
            #expect(sum == count)
        }
    }

    private static func checkGroups(of held: ClusterTree, _ tree: ClusterTree) {
        #expect(held.groups.map(\.leaves) == tree.groups.map(\.leaves))
        var end = 0
        for group in held.groups {
            #expect(group.clusters.lowerBound == end)
            end = group.clusters.upperBound
            for cluster in group.clusters {
                let leaves = held.leafRange(of: cluster)
                #expect(group.leaves.lowerBound <= leaves.lowerBound)
                #expect(leaves.upperBound <= group.leaves.upperBound)
            }
        }
        #expect(end == held.clusterCount)
    }

    @Test func `holding every cluster as deep as it goes changes nothing`() throws {
        var random = SeededRandom(seed: 1)
        let table = Samples.table(Samples.random(80, using: &random))
        let tree = try ClusterTree(of: table, options: ClusterOptions(radius: 60, maxZoom: 8))
        #expect(tree.clusterCount > 0)
        #expect(DeterminismTests.areEqual(tree.holding { tree.zooms[$0] }, tree))
        let apart = tree.holding { _ in nil }
        #expect(apart.clusterCount == 0 && apart.nodes(at: 0).count == 80)
    }
}
