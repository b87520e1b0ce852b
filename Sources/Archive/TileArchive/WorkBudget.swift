/// A limit on the work that the tiles of an archive may cause, in proportion to its files, so that a small file
/// cannot take hours.
///
/// A run of PMTiles names any number of tiles in a few bytes, a view of MBTiles generates rows, and gzip expands
/// a thousandfold. Valid archives stay far below: each tile takes four bytes somewhere, and tiles as a whole are
/// not compressed to a thirty-second.
package struct WorkBudget: Sendable {
    private(set) var tilesLeft: Int
    private var bytesLeft: Int
    /// How much may be counted without reading it, so that no sum overflows.
    private var countableLeft = Int.max >> 2
    private let fileBytes: Int
    private let mostBytes: Int

    static let leastTiles = 1_000_000
    package static let leastBytes = 64 << 20
    /// The least budget of bytes if contents that several tiles share are read once: more than the largest tile.
    private static let leastContents = 40 << 20
    private static let bytesOfTile = 4
    private static let mostGrowth = 32

    /// - Parameter fileBytes: the size of the archive's files; nil if each tile is a file.
    /// - Parameter countsContents: whether bytes that several tiles share count once.
    package init(fileBytes: Int?, countsContents: Bool = false) {
        self.fileBytes = fileBytes ?? .max
        tilesLeft = max(Self.leastTiles, self.fileBytes / Self.bytesOfTile)
        let (grown, isTooGreat) = self.fileBytes.multipliedReportingOverflow(by: Self.mostGrowth)
        let least = countsContents ? Self.leastContents : Self.leastBytes
        mostBytes = isTooGreat ? .max : max(least, grown)
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
                "its tiles come to more than \(mostBytes >> 20) MiB, "
                + "\(Self.mostGrowth) times the size of its files, like a bomb; reading stopped"
        )
    }
}
