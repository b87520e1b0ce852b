import Compression

/// What stands around the contents of a PMTiles file: in front of them the header, the root directory and, where
/// there is room, the metadata; behind them the leaf directories, and the metadata where there was none.
package struct PMTilesFrame: Sendable {
    /// What stands before the contents.
    package let front: [UInt8]
    /// What stands behind the leaf directories.
    package let back: [UInt8]

    /// - Parameters:
    ///   - header: is told where all of it lies.
    ///   - root: packed.
    ///   - metadata: not packed.
    package init(
        _ header: inout PMTilesHeader, root: [UInt8], dataBytes: Int, leafBytes: Int,
        metadata: [UInt8]
    ) {
        var compressor = GzipCompressor()
        let packed = compressor.compress(metadata.span)
        let room = PMTilesHeader.largestRoot - root.count
        let isInFront = packed.count <= room
        let root = isInFront ? root : GzipPadding.lengthened(root, by: room)
        let metadata =
            isInFront ? GzipPadding.lengthened(packed, by: room - packed.count) : packed
        let dataEnd = UInt64(TileData.start + dataBytes)
        header.root = .init(
            offset: UInt64(PMTilesHeader.byteCount), length: UInt64(root.count))
        header.tiles = .init(offset: UInt64(TileData.start), length: UInt64(dataBytes))
        header.leaves = .init(offset: dataEnd, length: UInt64(leafBytes))
        header.metadata = .init(
            offset: isInFront
                ? header.root.offset + header.root.length : dataEnd + header.leaves.length,
            length: UInt64(metadata.count))
        front = header.bytes + root + (isInFront ? metadata : [])
        back = isInFront ? [] : metadata
    }
}
