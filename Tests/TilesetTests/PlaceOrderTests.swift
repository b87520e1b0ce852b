import Clustering
import Geometry
import Points
import Recipes
import TestSupport
import Testing

@testable import Tileset

/// In which order tiles have what stands at one place, and what is drawn beside a layer.
struct PlaceOrderTests {
    /// Some hundred points, many of them in few places, and their clusters.
    private static func layer(_ name: String, seed: UInt64, firstLeaf: Int) throws -> DrawnLayer {
        var random = SeededRandom(seed: seed)
        var (table, batch) = (PointTable(), PointBatch())
        for _ in 0..<150 {
            let (x, y) = (Double(random.next() % 6) / 7, Double(random.next() % 6) / 7)
            batch.append(WorldPoint(x: x, y: y), weight: 1, id: PointTable.noID)
        }
        table.append(batch)
        var layer = Recipe.Layer(name: name, sources: [])
        layer.clusters?.options.radius = 60
        let options = ClusterOptions(radius: 60, maxZoom: 5)
        let tree = try ClusterTree(of: table, options: options, firstLeaf: firstLeaf)
        var extras = LayerExtras()
        (extras.heatMaxZoom, extras.maxZoom) = (5, 6)
        return DrawnLayer(
            layer, table: table, tree: tree,
            ids: try tree.ids(of: layer, at: 0, in: table, threads: 1), extras: extras, bins: nil)
    }

    private static func layers() throws -> DrawnLayers {
        let first = try layer("a", seed: 1, firstLeaf: 0)
        return DrawnLayers([first, try layer("b", seed: 2, firstLeaf: first.tree.leafCount)])
    }

    @Test func `members of finer counts stand by row, column and the points that they stand for`()
        throws
    {
        let layer = try Self.layer("a", seed: 1, firstLeaf: 0)
        let nodes = layer.tree.leafCount + layer.tree.clusterCount
        #expect(layer.tree.clusterCount > 20)
        func key(_ node: Int) -> [Double] {
            let cluster = node - layer.tree.leafCount
            guard cluster >= 0 else {
                let place = layer.position(ofLeaf: node)
                return [place.y, place.x, 1]
            }
            return [
                layer.tree.ys[cluster], layer.tree.xs[cluster], Double(layer.leaves[cluster]),
            ]
        }
        var sharing = 0
        for a in 0..<nodes {
            for b in 0..<nodes {
                let precedes = layer.member(a, precedes: b)
                #expect(precedes == key(a).lexicographicallyPrecedes(key(b)))
                if precedes, key(a).prefix(2) == key(b).prefix(2) { sharing += 1 }
            }
        }
        #expect(sharing > 20)
    }

    @Test func `leaves of one place stand as the archive has them`() throws {
        let layer = try Self.layer("a", seed: 3, firstLeaf: 0)
        func key(_ leaf: Int) -> [Double] {
            let place = layer.position(ofLeaf: leaf)
            return [place.y, place.x, Double(leaf)]
        }
        for a in 0..<layer.tree.leafCount {
            for b in 0..<layer.tree.leafCount {
                #expect(
                    layer.leaf(a, precedes: b) == key(a).lexicographicallyPrecedes(key(b)))
            }
        }
    }

    @Test func `each number is of one node, and groups follow layers and then what is beside them`()
        throws
    {
        let drawn = try Self.layers()
        let (a, b) = (drawn.layers[0].tree, drawn.layers[1].tree)
        #expect(drawn.leafCount == 300)
        #expect(drawn.nodeCount == 300 + a.clusterCount + b.clusterCount)
        #expect(drawn.drawnCount == 2 * drawn.nodeCount)
        var met: [String: Int] = [:]
        for number in 0..<drawn.drawnCount {
            let (name, group): (String, Int) =
                switch drawn.node(UInt32(number)) {
                case .leaf(let layer, let leaf): ("leaf \(layer) \(leaf)", layer)
                case .cluster(let layer, let cluster): ("cluster \(layer) \(cluster)", layer)
                case .heat(let layer, let node): ("heat \(layer) \(node)", 2 + 3 * layer)
                case .leg(let layer, let leaf): ("leg \(layer) \(leaf)", 3 + 3 * layer)
                case .bin(let layer, let step): ("bin \(layer) \(step)", 4 + 3 * layer)
                }
            #expect(met.updateValue(number, forKey: name) == nil)
            #expect(drawn.group(of: UInt32(number)) == group)
        }
        for (layer, tree) in [a, b].enumerated() {
            #expect(met["leaf \(layer) \(tree.leafCount - 1)"] != nil)
            #expect(met["cluster \(layer) \(tree.clusterCount - 1)"] != nil)
            #expect(met["heat \(layer) \(tree.leafCount + tree.clusterCount - 1)"] != nil)
        }
        #expect(met["leaf 1 0"] == 150 && met["cluster 0 0"] == 300)
    }

    @Test func `clusters of one layer stand by their ids, and all else by its number`() throws {
        let drawn = try Self.layers()
        for a in 300..<drawn.nodeCount {
            for b in 300..<drawn.nodeCount {
                guard case .cluster(let layer, let own) = drawn.node(UInt32(a)),
                    case .cluster(let other, let others) = drawn.node(UInt32(b))
                else { continue }
                let ids = (drawn.layers[layer].ids[own], drawn.layers[other].ids[others])
                let expected = layer == other ? ids.0 < ids.1 : a < b
                #expect(drawn.precedes(UInt32(a), UInt32(b)) == expected)
            }
        }
        // A leaf and a cluster, and leaves of two layers.
        #expect(drawn.precedes(3, 310) && !drawn.precedes(310, 3))
        #expect(drawn.precedes(3, 160) && !drawn.precedes(160, 3))
    }
}
