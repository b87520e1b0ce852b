import Geometry
import JSON
import VectorTile

/// A single-point feature in a tile: a point, or a cluster of several.
struct DrawnNode: Sendable, BitwiseCopyable {
    /// The layer's number in its survey.
    var layer: Int32
    /// The position in the tile's grid.
    var position: TilePoint
    var extent: Int32
    var id: UInt64
    var cluster = ClusterMarks()
    /// Stands after the marks, whose flags come last, so that a node is small: there may be a million.
    var hasID: Bool
    /// A hash of layer, id and attributes in any order; 0 unless it was asked for.
    var fingerprint: UInt64 = 0
    /// The true place of a point that is drawn elsewhere, in degrees; NaN if the point does not give it.
    private var longitude = Double.nan
    private var latitude = Double.nan

    /// Whether the tile owns it; otherwise it is a copy of a neighbour's.
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

    /// The true place of the point, if it says that it is drawn elsewhere.
    var truePlace: WorldPoint? {
        longitude.isNaN
            ? nil : WorldPoint(LonLat(longitude: longitude, latitude: latitude)).wrapped
    }

    /// Whether it gives its true place, as it is drawn elsewhere.
    var saysItsPlace: Bool { !longitude.isNaN }

    /// Reads a place as `[longitude,latitude]`; other text is ignored.
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
    /// Empties it for another tile. Otherwise each worker would keep the memory of its fullest tile.
    mutating func empty() { removeAll(keepingCapacity: capacity < 1 << 15) }
}

/// The attributes that make a feature a cluster, with the names of Covey and Supercluster
/// (`cluster`) and of tippecanoe (`clustered`).
struct ClusterMarks: Sendable, BitwiseCopyable {
    /// The number of points; less than 1 if there is none.
    var pointCount: Int64 = 0
    /// The cluster's id and the zoom at which it comes apart; -1 if there is none.
    var id: Int64 = -1
    var expansionZoom: Int64 = -1
    var isFlagged = false
    /// Whether any of these numbers is stored as a float or a double.
    var hasFraction = false
    /// Whether there is an abbreviated count that agrees with the count; known only if fingerprints
    /// were asked for.
    var isAbbreviatedWell = false

    /// The counts that a cluster may have: malicious ones would make sums overflow.
    static let counts: ClosedRange<Int64> = 1...(1 << 40)

    var isCluster: Bool { isFlagged && pointCount > 0 }
}
