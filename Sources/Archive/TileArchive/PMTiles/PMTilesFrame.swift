import Compression

/// The parts of a PMTiles file around the contents: before them the header, the root directory and, if there is
/// room, the metadata; after them the leaf directories, and the metadata if there was no room.
package struct PMTilesFrame: Sendable {
    /// The bytes before the contents.
    package let front: [UInt8]
    /// The bytes after the leaf directories.
    package let back: [UInt8]

    /// - Parameters:
    ///   - header: gets the places of all sections.
    ///   - root: compressed.
    ///   - metadata: not compressed.
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
