import Geometry

/// The tiles that an earlier job made of a part, found by the sums of what they show. Each worker has its own.
struct FormerTiles: Sendable {
    /// The tiles of one zoom.
    fileprivate struct Zoom: Sendable {
        let index: TileIndex
        let stream: JobStream
        /// The place of each tile on the curve.
        let places: [UInt64]
        /// The start of each tile in the stream.
        let offsets: [Int]
    }

    private let reader: JobFileReader
    private var zooms: [UInt8: Zoom] = [:]
    /// The last stretch that was read.
    private var window: (zoom: UInt8, bytes: StreamWindow)?

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
        guard let zoom = zooms[tile.z], let range = zoom.range(of: tile, showing: sum) else {
            return nil
        }
        if window?.zoom != tile.z { window = (tile.z, StreamWindow(zoom.stream, in: reader)) }
        return try? window?.bytes.bytes(range)
    }
}

extension FormerTiles.Zoom {
    fileprivate init(_ index: TileIndex, _ stream: JobStream) {
        (self.index, self.stream, offsets) = (index, stream, index.offsets)
        places = (0..<index.count).map { index.tile($0).hilbertID }
    }

    /// The range of a tile's bytes, if it showed the same.
    fileprivate func range(of tile: TileID, showing sum: UInt64) -> Range<Int>? {
        let place = tile.hilbertID
        let number = places.indices.partitionPoint { places[$0] >= place }
        guard number < index.sums.count, places[number] == place, index.sums[number] == sum else {
            return nil
        }
        return offsets[number]..<offsets[number + 1]
    }
}
