/// How much work the tiles of an archive may ask for: in proportion to its files, so that a small file
/// cannot stand for hours.
///
/// A run of PMTiles names any number of tiles in a few bytes, a view of MBTiles makes rows up, and
/// gzip grows a thousandfold. Sound archives come nowhere near: a tile takes four bytes somewhere, and
/// tiles are not packed to a thirty-second all over.
package struct WorkBudget: Sendable {
    private(set) var tilesLeft: Int
    private var bytesLeft: Int
    /// What may be counted without going through it, so that no sum of it is too great.
    private var countableLeft = Int.max >> 2
    private let fileBytes: Int
    private let mostBytes: Int

    static let leastTiles = 1_000_000
    package static let leastBytes = 64 << 20
    /// The same where what several tiles share is gone through once: more than the largest tile.
    private static let leastContents = 40 << 20
    private static let bytesOfTile = 4
    private static let mostGrowth = 32

    /// - Parameter fileBytes: how large the archive's files are; nil where each tile is a file.
    /// - Parameter countsContents: whether bytes that several tiles share are taken once.
    package init(fileBytes: Int?, countsContents: Bool = false) {
        self.fileBytes = fileBytes ?? .max
        tilesLeft = max(Self.leastTiles, self.fileBytes / Self.bytesOfTile)
        let (grown, isTooGreat) = self.fileBytes.multipliedReportingOverflow(by: Self.mostGrowth)
        let least = countsContents ? Self.leastContents : Self.leastBytes
        mostBytes = isTooGreat ? .max : max(least, grown)
        bytesLeft = mostBytes
    }

    /// Takes note of tiles, or rows, that are gone through.
    package mutating func take(tiles: Int, of path: String) throws(ArchiveError) {
        tilesLeft -= tiles
        guard tilesLeft < 0 else { return }
        throw .corrupt(
            path: path,
            reason: "its \(fileBytes) bytes stand for more than "
                + "\(max(Self.leastTiles, fileBytes / Self.bytesOfTile)) tiles or rows: runs or views "
                + "make them up, and they are not gone through")
    }

    /// Takes note of bytes that stand for several tiles and are counted for each.
    package mutating func count(
        bytes: Int, times: Int, of path: String
    ) throws(ArchiveError) {
        let (product, isTooGreat) = max(bytes, 1).multipliedReportingOverflow(by: times)
        guard isTooGreat || product > countableLeft else { return countableLeft -= product }
        throw .corrupt(
            path: path,
            reason: "its tiles come to more bytes than can be counted: runs make them up")
    }

    /// Takes note of bytes that come out of the archive.
    package mutating func take(bytes: Int, of path: String) throws(ArchiveError) {
        guard bytes > bytesLeft else { return bytesLeft -= bytes }
        throw .corrupt(
            path: path,
            reason:
                "its tiles come to more than \(mostBytes >> 20) MiB, "
                + "\(Self.mostGrowth) times what its files hold: that is a bomb, and not gone through"
        )
    }
}
