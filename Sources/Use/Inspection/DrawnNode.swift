import Geometry
import JSON
import VectorTile

/// A feature that is a single point, as a tile shows it: a point, or a cluster of several.
struct DrawnNode: Sendable, BitwiseCopyable {
    /// The layer's number in its survey.
    var layer: Int32
    /// The position in the tile's own grid.
    var position: TilePoint
    var extent: Int32
    var id: UInt64
    var cluster = ClusterMarks()
    /// Here, and flags last in what stands before it, because there may be a million nodes.
    var hasID: Bool
    /// A hash of layer, id and attributes, whatever their order; 0 unless it was asked for.
    var fingerprint: UInt64 = 0
    /// Where a point lies that is drawn elsewhere, in degrees; not numbers where it says nothing.
    private var longitude = Double.nan
    private var latitude = Double.nan

    /// Whether the tile owns it; otherwise it is a copy of what a neighbour holds.
    var isInTile: Bool {
        position.x >= 0 && position.y >= 0 && position.x < extent && position.y < extent
    }

    init(layer: Int32, position: TilePoint, extent: Int32, hasID: Bool, id: UInt64) {
        self.layer = layer
        self.position = position
        self.extent = extent
        self.hasID = hasID
        self.id = id
    }

    /// Where the point lies, if it says that it is drawn elsewhere.
    var truePlace: WorldPoint? {
        longitude.isNaN
            ? nil : WorldPoint(LonLat(longitude: longitude, latitude: latitude)).wrapped
    }

    /// Whether it says that it is drawn elsewhere than where it lies.
    var saysItsPlace: Bool { !longitude.isNaN }

    /// Takes note of a place as `[longitude,latitude]`; anything else says nothing.
    mutating func note(placeWrittenAs value: borrowing ValueView) {
        guard case .string(let text) = value.value, text.utf8.count < 80,
            let numbers = (try? JSONValue(parsing: text))?.asArray?.compactMap(\.asNumber),
            numbers.count == 2
        else { return }
        (longitude, latitude) = (numbers[0], numbers[1])
    }

    var isCluster: Bool { cluster.isCluster }
    var pointCount: Int64 { cluster.isCluster ? cluster.pointCount : 1 }
}

extension [DrawnNode] {
    /// Empties it for another tile. What a tile of very many took would stay with each worker.
    mutating func empty() { removeAll(keepingCapacity: capacity < 1 << 15) }
}

/// The attributes that make a feature a cluster, in the names that Covey and Supercluster use
/// (`cluster`) and in tippecanoe's (`clustered`).
struct ClusterMarks: Sendable, BitwiseCopyable {
    /// The number of points, or less than 1 where there is none.
    var pointCount: Int64 = 0
    /// The cluster's id and the zoom at which it falls apart; -1 where there is none.
    var id: Int64 = -1
    var expansionZoom: Int64 = -1
    var isFlagged = false
    /// Whether any of these numbers is stored as a float or a double.
    var hasFraction = false
    /// Whether there is an abbreviated count that says what the count does; known only where
    /// fingerprints were asked for.
    var isAbbreviatedWell = false

    /// Counts that a cluster can have: hostile ones would make sums overflow.
    static let counts: ClosedRange<Int64> = 1...(1 << 40)

    var isCluster: Bool { isFlagged && pointCount > 0 }
}
