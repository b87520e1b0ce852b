import Compression

/// A limit on the work that the tiles of an archive may cause, in proportion to its files, so that a small file
/// cannot take hours.
///
/// A run of PMTiles names any number of tiles in a few bytes, and a view of MBTiles generates rows. Tiles that are
/// stored one by one stay below: each takes four bytes somewhere, and gzip cannot expand them further.
package struct WorkBudget: Sendable {
    private(set) var tilesLeft: Int
    private var bytesLeft: Int
    /// How much may be counted without reading it, so that no sum overflows.
    private var countableLeft = Int.max >> 2
    private let fileBytes: Int
    private let mostBytes: Int

    static let leastTiles = 1_000_000
    package static let leastBytes = 64 << 20
    private static let bytesOfTile = 4

    /// - Parameter fileBytes: the size of the archive's files; nil if each tile is a file.
    package init(fileBytes: Int?) {
        self.fileBytes = fileBytes ?? .max
        tilesLeft = max(Self.leastTiles, self.fileBytes / Self.bytesOfTile)
        let (grown, isTooGreat) = self.fileBytes.multipliedReportingOverflow(
            by: GzipInflater.mostGrowth)
        mostBytes = isTooGreat ? .max : max(Self.leastBytes, grown)
        bytesLeft = mostBytes
    }

    /// Counts tiles or rows that are read.
    package mutating func take(tiles: Int, of path: String) throws(ArchiveError) {
        tilesLeft -= tiles
        guard tilesLeft < 0 else { return }
        throw .corrupt(
            path: path,
            reason: "its \(fileBytes) bytes claim more than "
                + "\(max(Self.leastTiles, fileBytes / Self.bytesOfTile)) tiles or rows, repeated by "
                + "runs or views; reading stopped")
    }

    /// Counts bytes that stand for several tiles, once for each tile.
    package mutating func count(
        bytes: Int, times: Int, of path: String
    ) throws(ArchiveError) {
        let (product, isTooGreat) = max(bytes, 1).multipliedReportingOverflow(by: times)
        guard isTooGreat || product > countableLeft else { return countableLeft -= product }
        throw .corrupt(
            path: path,
            reason: "its tiles, repeated by runs, come to more bytes than can be counted")
    }

    /// Counts bytes that come out of the archive.
    package mutating func take(bytes: Int, of path: String) throws(ArchiveError) {
        guard bytes > bytesLeft else { return bytesLeft -= bytes }
        throw .corrupt(
            path: path,
            reason:
                "its tiles come to more than \(mostBytes >> 20) MiB, which its \(fileBytes) bytes can "
                + "only hold repeated by runs or views; reading stopped"
        )
    }
}
