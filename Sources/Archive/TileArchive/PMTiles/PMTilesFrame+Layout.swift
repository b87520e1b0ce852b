import Compression
import Geometry

extension PMTilesFrame {
    /// The frame of an archive whose tiles are written elsewhere.
    /// - Parameters:
    ///   - metadata: the metadata of the archive.
    ///   - zooms: the zooms that have tiles; nil if there are none.
    ///   - count: the number of tiles.
    ///   - dataBytes: the bytes of all tiles.
    ///   - root: the compressed root directory.
    ///   - leafBytes: the bytes of the leaf directories.
    package init(
        of metadata: ArchiveMetadata, zooms: ClosedRange<UInt8>?, count: Int, dataBytes: Int,
        root: [UInt8], leafBytes: Int
    ) {
        var header = PMTilesHeader(counting: count, zooms)
        header.describe(metadata)
        self.init(
            &header, root: root, dataBytes: dataBytes, leafBytes: leafBytes,
            metadata: Array(metadata.pmtilesJSON.text().utf8))
    }

    /// The frame of the file of an archive's clusters.
    /// - Parameter payloads: the bytes of each payload.
    /// - Returns: the frame, and the leaf directories, which come before `back`.
    package static func ofClusters(
        _ metadata: ArchiveMetadata, payloads: [Int]
    ) -> (frame: PMTilesFrame, leaves: [UInt8]) {
        var directories = DirectoryWriter()
        var offset = 0
        for (id, length) in payloads.enumerated() {
            directories.append(
                .init(id: UInt64(id), offset: UInt64(offset), length: UInt32(length), run: 1))
            offset += length
        }
        let (root, leaves) = directories.finish()
        let last = ClusterFile.zoom(ofPayload: UInt64(max(payloads.count - 1, 0)))
        var header = PMTilesHeader(counting: payloads.count, 0...last)
        header.describeClusters()
        let frame = PMTilesFrame(
            &header, root: root, dataBytes: offset, leafBytes: leaves.count,
            metadata: ClusterFile.metadata(of: metadata))
        return (frame, leaves)
    }
}

extension PMTilesHeader {
    fileprivate init(counting count: Int, _ zooms: ClosedRange<UInt8>?) {
        self.init()
        (addressedTiles, entries, contents) = (UInt64(count), UInt64(count), UInt64(count))
        minZoom = zooms?.lowerBound ?? 0
        maxZoom = zooms?.upperBound ?? 0
    }
}
