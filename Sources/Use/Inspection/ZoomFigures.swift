import Geometry
import TileArchive

/// The figures of one zoom of an archive.
public struct ZoomFigures: Hashable, Sendable {
    public let zoom: Int
    public internal(set) var tiles = 0
    /// Bytes as stored, and inflated.
    public internal(set) var bytes = 0
    public internal(set) var inflatedBytes = 0
    public internal(set) var smallest: SizedTile?
    public internal(set) var largest: SizedTile?
    /// Tiles by stored size: entry p counts those of at most 2^p bytes that no smaller class has.
    public internal(set) var sizeClasses = [Int](repeating: 0, count: 33)
    /// Tiles that could not be read to their end.
    public internal(set) var unreadableTiles = 0
    /// All features, copies in margins included.
    public internal(set) var features = 0
    /// Single points outside their tile: copies of a neighbour's points.
    public internal(set) var copies = 0
    /// Clusters inside their tile, so that each is counted once.
    public internal(set) var clusters = 0
    /// Points drawn by themselves, inside their tile.
    public internal(set) var singlePoints = 0
    /// Points inside their tile; a cluster counts as all of its points.
    public internal(set) var points = 0
    public internal(set) var largestCluster: SizedCluster?
    /// The range of columns of all tiles that own a single point.
    var columns: ClosedRange<UInt32>?
    var rows: ClosedRange<UInt32>?

    init(zoom: Int) { self.zoom = zoom }

    /// Bytes of the average tile, rounded down.
    public var averageBytes: Int { tiles == 0 ? 0 : bytes / tiles }
}

/// A tile and its size in the archive.
public struct SizedTile: Comparable, Hashable, Sendable {
    public var tile: TileID
    public var bytes: Int

    /// Whether it is smaller, or equally large and later by key.
    public static func < (one: SizedTile, other: SizedTile) -> Bool {
        one.bytes == other.bytes
            ? other.tile.comesInKeys(before: one.tile) : one.bytes < other.bytes
    }
}

/// A cluster and how many points it has.
public struct SizedCluster: Hashable, Sendable {
    public var id: UInt64?
    public var points: Int
    public var tile: TileID
}

extension ZoomFigures {
    mutating func include(_ tile: OpenedTile) {
        tiles += 1
        bytes += tile.storedBytes
        let power =
            tile.storedBytes <= 1 ? 0 : Int.bitWidth - (tile.storedBytes - 1).leadingZeroBitCount
        sizeClasses[min(power, 32)] += 1
        let sized = SizedTile(tile: tile.id, bytes: tile.storedBytes)
        include(smallest: sized)
        include(largest: sized)
    }

    mutating func include(_ counts: NodeCounts, in tile: TileID) {
        copies += counts.copies
        guard counts.nodes > 0 else { return }
        points &+= counts.points
        clusters += counts.clusters
        singlePoints += counts.nodes - counts.clusters
        columns = (tile.x...tile.x).hull(columns)
        rows = (tile.y...tile.y).hull(rows)
        guard let largest = counts.largest else { return }
        include(SizedCluster(id: largest.id, points: largest.points, tile: tile))
    }

    /// Adds the figures of other tiles of the same zoom, or of a group whose first tile they are
    /// for; among equals, the earlier by key stays.
    mutating func merge(_ other: ZoomFigures, over group: TileGroup? = nil) {
        let times = group?.count ?? 1
        tiles += other.tiles * times
        bytes += other.bytes * times
        inflatedBytes += other.inflatedBytes * times
        for power in sizeClasses.indices { sizeClasses[power] += other.sizeClasses[power] * times }
        unreadableTiles += other.unreadableTiles * times
        features += other.features * times
        copies += other.copies * times
        clusters += other.clusters * times
        singlePoints += other.singlePoints * times
        points &+= other.points &* times
        if let own = other.columns { columns = (group?.columns ?? own).hull(columns) }
        if let own = other.rows { rows = (group?.rows ?? own).hull(rows) }
        if let tile = other.smallest { include(smallest: tile) }
        if let tile = other.largest { include(largest: tile) }
        if let cluster = other.largestCluster { include(cluster) }
    }

    private mutating func include(smallest other: SizedTile) {
        if let smallest,
            smallest.bytes < other.bytes
                || smallest.bytes == other.bytes && !other.tile.comesInKeys(before: smallest.tile)
        {
            return
        }
        smallest = other
    }

    private mutating func include(largest other: SizedTile) {
        largest = max(largest ?? other, other)
    }

    private mutating func include(_ cluster: SizedCluster) {
        if let largestCluster,
            largestCluster.points > cluster.points
                || largestCluster.points == cluster.points
                    && !cluster.tile.comesInKeys(before: largestCluster.tile)
        {
            return
        }
        largestCluster = cluster
    }
}
