import ArchiveContract
import Geometry
import TileArchive
import VectorTile

/// The points of a leaf block, a vector tile of the whole world, taken out as they are asked for.
struct LeafBlock {
    let number: Int64
    private let bytes: [UInt8]

    init(number: Int64, _ bytes: [UInt8]) {
        self.number = number
        self.bytes = bytes
    }

    /// The points at these places, counted through all layers; fewer where there are fewer.
    func leaves(at places: Range<Int>) throws(TileError) -> [Leaf] {
        let first = LeafBlockLayout.firstLeaf(ofBlock: number)
        var taken: [Leaf] = []
        var passed = 0
        var tile = try TileReader(bytes.span)
        while let layer = try tile.nextLayer(), passed < places.upperBound {
            for place in places.clamped(to: passed..<(passed + layer.featureCount)) {
                let feature = try layer.feature(at: place - passed)
                taken.append(try Self.leaf(feature, of: layer, number: first + Int64(place)))
            }
            passed += layer.featureCount
        }
        return taken
    }

    /// Where all points are.
    func places() throws(TileError) -> [WorldPoint] {
        var places: [WorldPoint] = []
        var tile = try TileReader(bytes.span)
        while let layer = try tile.nextLayer() {
            for place in 0..<layer.featureCount {
                places.append(Self.place(of: try layer.feature(at: place), extent: layer.extent))
            }
        }
        return places
    }

    private static func leaf(
        _ feature: FeatureView, of layer: LayerView, number: Int64
    ) throws(TileError) -> Leaf {
        var carried: [Tile.Tag] = []
        var tags = feature.tags()
        while let tag = try tags.next() {
            carried.append(Tile.Tag(layer.key(at: tag.key), layer.value(at: tag.value).value))
        }
        return Leaf(
            number: number, layer: layer.name, id: feature.id,
            place: place(of: feature, extent: layer.extent), tags: carried)
    }

    private static func place(of feature: FeatureView, extent: UInt32) -> WorldPoint {
        let point = feature.point ?? TilePoint(x: 0, y: 0)
        // A stranger's block may claim an extent of 0; it must only not divide.
        let scale = 1 / Double(max(extent, 1))
        return WorldPoint(x: Double(point.x) * scale, y: Double(point.y) * scale)
    }
}
