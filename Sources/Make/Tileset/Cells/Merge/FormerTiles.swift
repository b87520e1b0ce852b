import Geometry

/// The tiles that a job before made of a part, found by what they show.
struct FormerTiles: Sendable {
    /// Of one zoom.
    fileprivate struct Zoom: Sendable {
        let index: TileIndex
        /// Where each tile lies on the curve.
        let places: [UInt64]
        /// Where each begins in the stream.
        let offsets: [Int]
        var window: StreamWindow
    }

    private var zooms: [UInt8: Zoom] = [:]

    /// Nil where its file is gone or damaged.
    init?(_ path: String, _ job: CellJob) {
        do {
            let part = try PartTiles(path, job)
            for zoom in part.zooms {
                zooms[zoom.zoom] = Zoom(
                    try zoom.read(part.reader), StreamWindow(zoom.stream, in: part.reader))
            }
        } catch {
            return nil
        }
    }

    /// A tile's bytes, if it showed the same.
    mutating func bytes(of tile: TileID, showing sum: UInt64) -> ArraySlice<UInt8>? {
        zooms[tile.z]?.bytes(of: tile, showing: sum)
    }
}

extension FormerTiles.Zoom {
    fileprivate init(_ index: TileIndex, _ window: StreamWindow) {
        self.index = index
        self.window = window
        var offsets = [0]
        for tile in 0..<index.count {
            offsets.append(offsets[tile] + Int(index.lengths[tile]))
        }
        self.offsets = offsets
        places = (0..<index.count).map { index.tile($0).place }
    }

    fileprivate mutating func bytes(of tile: TileID, showing sum: UInt64) -> ArraySlice<UInt8>? {
        let place = tile.place
        let number = places.indices.partitionPoint { places[$0] >= place }
        guard number < index.sums.count, places[number] == place, index.sums[number] == sum else {
            return nil
        }
        return try? window.bytes(offsets[number]..<offsets[number + 1])
    }
}

extension TileID {
    /// Where it lies on the curve among the tiles of its zoom.
    var place: UInt64 { Hilbert.distance(x: x, y: y, order: z) }
}
