import ArchiveContract
import Geometry
import TileArchive
import VectorTile

/// The points of a leaf block, a vector tile of the whole world, which are decoded on demand.
struct LeafBlock {
    let number: Int64
    /// The number of its first point.
    let firstLeaf: Int64
    private let bytes: [UInt8]
    private let index: TileIndex

    init(number: Int64, firstLeaf: Int64, bytes: [UInt8]) {
        self.number = number
        self.firstLeaf = firstLeaf
        self.bytes = bytes
        index = TileIndex(of: bytes.span)
    }

    /// The number of its points.
    func pointCount() throws(TileError) -> Int {
        var count = 0
        var tile = try TileReader(bytes.span, index)
        while let layer = try tile.nextLayer() { count += layer.featureCount }
        return count
    }

    /// Some points, in order.
    struct Taken {
        var leaves: [Leaf] = []
        /// The bytes of their keys and values together.
        var bytes = 0
        /// Whether the next point was left out because it would have been too much.
        var isCut = false
        /// Whether the next point alone is too much for any answer.
        var isBeforeHuge = false
    }

    /// The points at these indexes, counted through all layers; fewer if the block has fewer, or if they carry
    /// more than `mostBytes` together. Values are shared within a block but not in an answer, so a small block
    /// can make a huge answer.
    /// - Parameters:
    ///   - indexes: in ascending order.
    ///   - takesFirst: whether the first point is taken even if it carries more than that.
    func leaves(
        at indexes: some Collection<Int>, mostBytes: Int, takesFirst: Bool
    ) throws(TileError) -> Taken {
        var taken = Taken()
        var passed = 0
        var rest = indexes[...]
        var tile = try TileReader(bytes.span, index)
        while !rest.isEmpty, let layer = try tile.nextLayer() {
            while let index = rest.first, index < passed + layer.featureCount {
                rest.removeFirst()
                let feature = try layer.feature(at: index - passed)
                let size = try Self.size(of: feature, in: layer)
                let isFree = takesFirst && taken.leaves.isEmpty
                guard size <= ClusterQuery.mostBytesOfLeaf,
                    isFree || size <= mostBytes - taken.bytes
                else {
                    taken.isCut = true
                    taken.isBeforeHuge = size > ClusterQuery.mostBytesOfLeaf
                    return taken
                }
                taken.bytes += size
                let number = firstLeaf + Int64(index)
                taken.leaves.append(try Self.leaf(feature, of: layer, number: number))
            }
            passed += layer.featureCount
        }
        return taken
    }

    /// The positions of all points.
    func positions() throws(TileError) -> [WorldPoint] {
        var positions: [WorldPoint] = []
        var tile = try TileReader(bytes.span, index)
        while let layer = try tile.nextLayer() {
            for index in 0..<layer.featureCount {
                positions.append(
                    Self.position(of: try layer.feature(at: index), extent: layer.extent))
            }
        }
        return positions
    }

    /// The bytes that a point carries; counting stops once there are too many.
    private static func size(
        of feature: FeatureView, in layer: LayerView
    ) throws(TileError) -> Int {
        var size = 0
        var tags = feature.tags()
        while size <= ClusterQuery.mostBytesOfLeaf, let tag = try tags.next() {
            size += layer.keyBytes(at: tag.key).count + layer.value(at: tag.value).bytes.count
        }
        return size
    }

    private static func leaf(
        _ feature: FeatureView, of layer: LayerView, number: Int64
    ) throws(TileError) -> Leaf {
        var carried: [TileTag] = []
        var tags = feature.tags()
        while let tag = try tags.next() {
            carried.append(TileTag(layer.key(at: tag.key), layer.value(at: tag.value).value))
        }
        return Leaf(
            number: number, layer: layer.name, id: feature.id,
            position: position(of: feature, extent: layer.extent), tags: carried)
    }

    private static func position(of feature: FeatureView, extent: UInt32) -> WorldPoint {
        let point = feature.point ?? TilePoint(x: 0, y: 0)
        // A block of an untrusted file may claim an extent of 0; this only avoids a division by it.
        let scale = 1 / Double(max(extent, 1))
        return WorldPoint(x: Double(point.x) * scale, y: Double(point.y) * scale)
    }
}
