import Clustering
import Geometry
import Points
import TestSupport
import Testing

/// Answers of a tree compared with what its columns of parents and zooms say, read one by one.
struct TreeQueryTests {
    struct Sample {
        let points: [Samples.Point]
        let table: PointTable
        let tree: ClusterTree

        init(using random: inout SeededRandom, upTo limit: Int = 60) throws {
            points = Samples.random(Int.random(in: 0...limit, using: &random), using: &random)
            table = Samples.table(points)
            tree = try ClusterTree(
                of: table, options: ReferenceTests.options(for: points, using: &random), threads: 1)
        }
    }

    /// The clusters around a leaf, the innermost first.
    static func ancestors(of leaf: Int, in tree: ClusterTree) -> [Int] {
        var ancestors: [Int] = []
        var next = tree.leafParents[leaf]
        while next != ClusterTree.noParent {
            ancestors.append(Int(next))
            next = tree.parents[Int(next)]
        }
        return ancestors
    }

    /// The positions of a cluster's points, found by asking every leaf for the clusters around it.
    static func positions(of cluster: Int, in sample: Sample) -> [WorldPoint] {
        (0..<sample.tree.leafCount).filter {
            ancestors(of: $0, in: sample.tree).contains(cluster)
        }.map { sample.points[Int(sample.tree.leafRows[$0])].position.wrapped }
    }

    @Test(arguments: 0..<4)
    func `leaves, parents, children and nodes at a zoom agree`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<15 {
            let tree = try Sample(using: &random).tree
            let around = (0..<tree.leafCount).map { Self.ancestors(of: $0, in: tree) }
            for cluster in 0..<tree.clusterCount {
                let leaves = around.indices.filter { around[$0].contains(cluster) }
                #expect(leaves == Array(tree.leafRange(of: cluster)))
                let clusters = (0..<tree.clusterCount).filter { tree.parents[$0] == cluster }
                let children =
                    clusters.map(TreeNode.cluster)
                    + leaves.filter { around[$0][0] == cluster }.map(TreeNode.leaf)
                #expect(Set(tree.children(of: cluster)) == Set(children))
                #expect(tree.children(of: cluster).count == children.count)
            }
            for zoom in -1...16 {
                let shown = around.map { $0.first { Self.isDrawn($0, at: zoom, in: tree) } }
                let found = around.indices.map { tree.cluster(containing: $0, zoom: zoom) }
                #expect(found == shown)
                let nodes = around.indices.map { shown[$0].map(TreeNode.cluster) ?? .leaf($0) }
                let runs = nodes.indices.filter { $0 == 0 || nodes[$0] != nodes[$0 - 1] }
                #expect(tree.nodes(at: zoom) == runs.map { nodes[$0] })
            }
        }
    }

    /// Zooms before the shallowest one show what that one shows.
    private static func isDrawn(_ cluster: Int, at zoom: Int, in tree: ClusterTree) -> Bool {
        let zoom = max(zoom, tree.minZoom)
        return Int(tree.parentZooms[cluster]) < zoom && zoom <= Int(tree.zooms[cluster])
    }

    @Test(arguments: 0..<4)
    func `clusters stand in order of their first leaf, outer ones first`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed + 6)
        for _ in 0..<15 {
            let tree = try Sample(using: &random).tree
            let order = (0..<tree.clusterCount).map {
                (Int(tree.firsts[$0]), Int(tree.zooms[$0]))
            }
            #expect(zip(order, order.dropFirst()).allSatisfy { $0 < $1 })
            for (low, high) in (0..<40).map({ _ in
                (Int.random(in: 0...30, using: &random), Int.random(in: 30...62, using: &random))
            }) {
                let wanted = order.indices.filter { (low..<high).contains(order[$0].0) }
                #expect(Array(tree.clusters(startingIn: low..<high)) == wanted)
            }
        }
    }

    @Test func `what no cluster holds comes along the Hilbert curve`() throws {
        var random = SeededRandom(seed: 9)
        for radius: Radius in [0.5, 20, 90] {
            let points = (0..<400).map { _ in
                Samples.Point(position: WorldPoint(x: random.unit(), y: random.unit()))
            }
            let table = Samples.table(points)
            let tree = try ClusterTree(
                of: table, options: ClusterOptions(radius: radius, maxZoom: 6), threads: 1)
            let places = tree.nodes(at: 0).map { node in
                switch node {
                case .leaf(let leaf): table.position(of: Int(tree.leafRows[leaf]))
                case .cluster(let cluster): WorldPoint(x: tree.xs[cluster], y: tree.ys[cluster])
                }
            }
            let along = places.map { place in
                let cell = TileID(holding: place, zoom: 26)
                return Hilbert.distance(x: cell.x, y: cell.y, order: 26)
            }
            #expect(along == along.sorted() && along.count > 8)
        }
    }

    /// The narrowest of the boxes that start at one of the points and go east.
    private static func narrowestWidth(around positions: [WorldPoint]) -> Double {
        positions.map { start in
            positions.map { $0.x < start.x ? $0.x + 1 - start.x : $0.x - start.x }.max() ?? 0
        }.min() ?? 0
    }

    @Test(arguments: 0..<4)
    func `boxes hold all points and are narrow`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<15 {
            let sample = try Sample(using: &random, upTo: 30)
            let boxes = sample.tree.boxes(in: sample.table, wraps: true)
            #expect(boxes.count == sample.tree.clusterCount)
            for cluster in boxes.indices {
                let positions = Self.positions(of: cluster, in: sample)
                let box = boxes[cluster]
                #expect(abs(box.maxX - box.minX - Self.narrowestWidth(around: positions)) < 1e-15)
                #expect(
                    box.minY == positions.map(\.y).min() && box.maxY == positions.map(\.y).max())
                let unrolled = positions.map {
                    WorldPoint(x: $0.x < box.minX ? $0.x + 1 : $0.x, y: $0.y)
                }
                #expect(unrolled.map(\.x).min() == box.minX && unrolled.map(\.x).max() == box.maxX)
                #expect(
                    sample.tree.isOneSite(cluster, in: sample.table) == (Set(positions).count == 1))
            }
        }
    }

    @Test func `boxes on a world that does not wrap go from west to east`() throws {
        var random = SeededRandom(seed: 9)
        let edges = [0, 1, 0.003, 0.997]
        for _ in 0..<50 {
            let points = (0..<Int.random(in: 2...9, using: &random)).map { index in
                let x = index % 3 == 0 ? edges.randomElement(using: &random)! : random.unit()
                return Samples.Point(position: WorldPoint(x: x, y: random.unit()))
            }
            let table = Samples.table(points)
            var options = ClusterOptions(radius: 999, maxZoom: 2)
            options.wrap = false
            let tree = try ClusterTree(of: table, options: options)
            for (cluster, box) in tree.boxes(in: table, wraps: false).enumerated() {
                let xs = tree.leafRange(of: cluster)
                    .map { table.position(of: Int(tree.leafRows[$0])).x }
                #expect(box.minX == xs.min() && box.maxX == xs.max())
            }
        }
    }

    @Test func `boxes wider than half the world leave the widest gap out`() throws {
        var random = SeededRandom(seed: 8)
        for _ in 0..<100 {
            let points = (0..<Int.random(in: 2...9, using: &random)).map { _ in
                Samples.Point(position: WorldPoint(x: random.unit(), y: random.unit()))
            }
            let table = Samples.table(points)
            let tree = try ClusterTree(of: table, options: ClusterOptions(radius: 999, maxZoom: 2))
            for (cluster, box) in tree.boxes(in: table, wraps: true).enumerated() {
                let positions = tree.leafRange(of: cluster)
                    .map { table.position(of: Int(tree.leafRows[$0])) }
                #expect(abs(box.maxX - box.minX - Self.narrowestWidth(around: positions)) < 1e-15)
            }
        }
    }
}
