import ArchiveContract
import Geometry
import TestSupport
import TileArchive

/// A random forest of clusters in leaf order, with the answers worked out the slow way.
struct SampleHierarchy {
    let leafCount: Int64
    private(set) var clusters: [ClusterRecord] = []

    init(leafCount: Int64, seed: UInt64) {
        self.leafCount = leafCount
        var random = SeededRandom(seed: seed)
        var first: Int64 = 0
        while first < leafCount {
            let count = min(leafCount - first, 1 + Int64(random.next() % 400))
            grow(first..<(first + count), parent: nil, &random)
            first += count
        }
        clusters.sort { $0.key < $1.key }
    }

    /// Makes the leaves one cluster, or leaves one leaf alone, and goes on with its parts.
    private mutating func grow(
        _ leaves: Range<Int64>, parent: ClusterKey?, _ random: inout SeededRandom
    ) {
        let shallowest = parent.map { Int($0.zoom) + 1 } ?? 0
        guard leaves.count > 1, shallowest < 20 else { return }
        let zoom = UInt8(Int.random(in: shallowest...min(20, shallowest + 2), using: &random))
        let key = ClusterKey(firstLeaf: leaves.lowerBound, zoom: zoom)
        let position = GridPoint(x: Int32(random.next() >> 34), y: Int32(random.next() >> 34))
        clusters.append(
            ClusterRecord(
                key: key, leafCount: Int64(leaves.count), position: position, parent: parent))
        var rest = leaves
        while !rest.isEmpty {
            // Never all of it: a cluster has two children at least.
            let most = rest.count == leaves.count ? rest.count - 1 : rest.count
            let count = Int64(Int.random(in: 1...most, using: &random))
            grow(rest.lowerBound..<(rest.lowerBound + count), parent: key, &random)
            rest = (rest.lowerBound + count)..<rest.upperBound
        }
    }

    /// Points have ids up to 99.
    static let idBase: Int64 = 128
    static let ids = ClusterIDs.counted(base: idBase)

    static func description(leafCount: Int64) -> ClusterDescription {
        let layer = ClusterDescription.Layer(
            name: "sample", leaves: 0..<leafCount, minZoom: 0, maxZoom: 20,
            clustering: .init(radius: RadiusByZoom(50), algorithm: "spaced"))
        return ClusterDescription(layers: [layer], buffer: 8, ids: ids)
    }

    func id(of cluster: ClusterRecord) -> Int64 { Self.idBase + cluster.key.packed }

    func write(to path: String) throws {
        var writer = try MBTilesWriter(to: path)
        for cluster in clusters { try writer.write(cluster) }
        let data: [UInt8] = []
        for block in 0..<LeafBlockLayout.usual.blockCount(forLeaves: leafCount) {
            try writer.write(leafBlock: block, gzip: data.span, hull: [])
        }
        var metadata = ArchiveMetadata(name: "hierarchy")
        metadata.covey = Self.description(leafCount: leafCount).json
        try writer.finish(metadata)
    }

    // MARK: The slow answers

    func node(holding leaf: Int64, at zoom: Int) -> ClusterNode {
        clusters.filter { $0.leaves.contains(leaf) && Int($0.key.zoom) >= zoom }
            .min { $0.key.zoom < $1.key.zoom }
            .map(ClusterNode.cluster) ?? .leaf(leaf)
    }

    func level(_ zoom: Int, of leaves: Range<Int64>) -> [ClusterNode] {
        var nodes: [ClusterNode] = []
        for leaf in leaves {
            let node = node(holding: leaf, at: zoom)
            if nodes.last != node { nodes.append(node) }
        }
        return nodes
    }
}
