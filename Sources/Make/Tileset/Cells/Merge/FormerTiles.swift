import Geometry

/// The tiles that an earlier job made of a part, found by the sums of what they show. Each worker has its own.
struct FormerTiles: Sendable {
    /// The tiles of one zoom.
    fileprivate final class Zoom: Sendable {
        let index: TileIndex
        let stream: JobStream
        /// The place of each tile on the curve.
        let places: [UInt64]
        /// The start of each tile in the stream.
        let offsets: [Int]

        init(_ index: TileIndex, _ stream: JobStream) {
            (self.index, self.stream, offsets) = (index, stream, index.offsets)
            places = (0..<index.count).map { index.tile($0).hilbertID }
        }
    }

    /// The zoom whose tiles are asked for, and how far along the curve they were.
    fileprivate struct Position {
        let zoom: Zoom
        var window: StreamWindow
        var next = 0
    }

    private let reader: JobFileReader
    private var zooms: [UInt8: Zoom] = [:]
    private var position: Position?

    /// Nil if its file is gone or damaged.
    init?(_ path: String, _ job: CellJob) {
        do {
            let part = try PartTiles(path, job)
            reader = part.reader
            for zoom in part.zooms {
                zooms[zoom.zoom] = Zoom(try zoom.read(reader), zoom.stream)
            }
        } catch {
            return nil
        }
    }

    /// A tile's bytes, if it showed the same.
    mutating func bytes(of tile: TileID, showing sum: UInt64) -> ArraySlice<UInt8>? {
        if position?.zoom.index.zoom != tile.z {
            position = zooms[tile.z].map {
                Position(zoom: $0, window: StreamWindow($0.stream, in: reader))
            }
        }
        guard let range = position?.range(of: tile, showing: sum) else { return nil }
        return try? position?.window.bytes(range)
    }
}

extension FormerTiles.Position {
    /// The range of a tile's bytes, if it showed the same. As a rule, the tile is the one after the last.
    fileprivate mutating func range(of tile: TileID, showing sum: UInt64) -> Range<Int>? {
        let (places, place) = (zoom.places, tile.hilbertID)
        if next >= places.count || places[next] != place {
            next = places.indices.partitionPoint { places[$0] >= place }
        }
        let number = next
        guard number < zoom.index.sums.count, places[number] == place else { return nil }
        next += 1
        guard zoom.index.sums[number] == sum else { return nil }
        return zoom.offsets[number]..<zoom.offsets[number + 1]
    }
}
