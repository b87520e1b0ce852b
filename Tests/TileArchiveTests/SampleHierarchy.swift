import ArchiveContract
import Compression
import Geometry
import MadeArchives
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

    static func description(leafCount: Int64) -> ClusterDescription {
        let layer = ClusterDescription.Layer(
            name: "sample", leaves: 0..<leafCount, minZoom: 0, maxZoom: 20,
            clustering: .init(radius: RadiusByZoom(50), algorithm: "spaced"))
        return ClusterDescription(layers: [layer], buffer: 8, ids: .placed)
    }

    func id(of cluster: ClusterRecord) -> Int64 { Self.idBase + cluster.key.packed }

    /// Writes it as tables of format 2.
    func write(to path: String) throws {
        let count = LeafBlockTable(
            blocksOf: LeafBlockLayout.mostLeaves, leafCount: leafCount
        ).count
        try OldArchive.write(
            to: path, Self.description(leafCount: leafCount), idBase: Self.idBase,
            blocks: (0..<count).map { ($0, [], []) }, clusters: clusters)
    }

    /// Writes it as payloads, with blocks of so few points that there are many.
    /// - Returns: its clusters as they are there, with names of their own.
    func write(to path: String, in layout: Int64) throws -> [ClusterRecord] {
        let named = try named()
        var description = Self.description(leafCount: leafCount)
        description.layers[0].leavesInBlock = layout
        let cutter = cut(named, layout)
        var gzip = GzipCompressor(level: 1)
        var archive = PayloadArchive(description)
        archive.large = cutter.large
        for (number, (first, end)) in zip([0] + cutter.ends, cutter.ends).enumerated() {
            let hull = GridHull(wrapping: (first..<end).map(Self.place)).corners
            let rows = named.filter {
                (first..<end).contains($0.key.firstLeaf) && $0.leafCount <= layout
            }
            archive.blocks.append(
                (
                    gzip.compress(Array("block \(number)".utf8).span),
                    ClusterBlock(leaves: first..<end, hull: hull, rows: rows)
                ))
        }
        try archive.write(to: path)
        return named
    }

    /// The clusters with names of their own.
    private func named() throws -> [ClusterRecord] {
        var names = ClusterNames(layer: 0, fineness: 5)
        for cluster in clusters {
            names.add(at: cluster.position.worldPoint, zoom: Int(cluster.key.zoom))
        }
        let ids = try names.ids { $0 < $1 }
        return zip(clusters, ids).map { cluster, id in
            var cluster = cluster
            let grid = NameGrid(zoom: Int(cluster.key.zoom), fineness: 5)
            cluster.shift = PlaceID(id).map { grid.shift(of: $0, from: cluster.position) } ?? 0
            return cluster
        }
    }

    private func cut(_ named: [ClusterRecord], _ layout: Int64) -> BlockCutter {
        var cutter = BlockCutter(mostLeaves: layout)
        func addLeaves(upTo end: Int64) {
            while cutter.leaf < end {
                let leaf = cutter.leaf
                cutter.addLeaf(at: { Self.place(ofLeaf: leaf) }, weighing: { 1 })
            }
        }
        for cluster in named where cluster.key.firstLeaf >= cutter.leaf {
            addLeaves(upTo: cluster.key.firstLeaf)
            cutter.add(
                cluster: cluster.leafCount, at: { cluster.position }, weighing: { 1 },
                record: { cluster })
        }
        addLeaves(upTo: leafCount)
        cutter.finish()
        return cutter
    }

    static func place(ofLeaf leaf: Int64) -> GridPoint {
        GridPoint(x: Int32(leaf % 7), y: Int32(leaf))
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
