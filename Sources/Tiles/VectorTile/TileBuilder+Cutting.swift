/// A tile within another tile, some zooms deeper.
public struct TilePart: Sendable {
    public let depth: UInt8
    /// The place among the tiles of its zoom, counted from the upper left corner of the other tile.
    public let column: UInt32
    public let row: UInt32

    /// - Precondition: `depth` is at most 24.
    public init(depth: UInt8, column: UInt32, row: UInt32) {
        precondition(depth <= 24, "no tile is so far below another")
        self.depth = depth
        self.column = column
        self.row = row
    }

    /// A position of the other tile in the grid of this one, which has the same extent; nil if it is further than
    /// the margin outside.
    func position(of point: TilePoint, extent: UInt32, margin: Int64) -> TilePoint? {
        func moved(_ coordinate: Int32, _ number: UInt32) -> Int64? {
            let moved = Int64(coordinate) << Int64(depth) - Int64(number) * Int64(extent)
            return (-margin..<Int64(extent) + margin).contains(moved) ? moved : nil
        }
        guard let x = moved(point.x, column).flatMap(Int32.init(exactly:)),
            let y = moved(point.y, row).flatMap(Int32.init(exactly:))
        else { return nil }
        return TilePoint(x: x, y: y)
    }
}

extension TileBuilder {
    /// Adds those points of another tile's layer that lie in a part of the tile, as that part shows them: with
    /// their ids and typed values. Features that are not single points are left out, and so is a layer that
    /// becomes empty. The margin says how far around the part points are taken, in tiles.
    public mutating func append(
        pointsOf layer: borrowing LayerView, in part: TilePart, margin: Double
    ) throws(TileError) {
        let reach = Int64((Double(layer.extent) * min(max(margin, 0), 1)).rounded(.up))
        var found: [(index: Int, point: TilePoint)] = []
        for index in 0..<layer.featureCount {
            let feature = try layer.feature(at: index)
            guard let point = feature.point,
                let moved = part.position(of: point, extent: layer.extent, margin: reach)
            else { continue }
            // Tags are read before the first byte is written, so a thrown error leaves no half layer.
            var tags = feature.tags()
            while try tags.next() != nil {}
            found.append((index, moved))
        }
        guard !found.isEmpty else { return }
        beginLayer(utf8: layer.nameBytes, extent: layer.extent, version: layer.version)
        var keys: [TileKey] = []
        for index in 0..<layer.keyCount { keys.append(key(utf8: layer.keyBytes(at: index))) }
        for (index, point) in found {
            let feature = try layer.feature(at: index)
            beginPoint(id: feature.id, x: point.x, y: point.y)
            var tags = feature.tags()
            while let tag = try tags.next() {
                addTag(keys[tag.key], packed: layer.value(at: tag.value).bytes)
            }
            endFeature()
        }
        endLayer()
    }
}
