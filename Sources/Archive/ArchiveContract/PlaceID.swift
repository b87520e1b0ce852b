import Geometry

/// The id of a cluster in archives from format 3 on: a name made of the cluster's place and of the zoom at which
/// it formed, which no point far away affects.
///
///     1 | layer, 5 bits | place, 42 bits | zoom, 5 bits
///
/// The leading bit keeps clusters apart from points, whose ids are usually smaller.
public struct PlaceID: Hashable, Comparable, Sendable {
    /// The number of the layer in the archive.
    public var layer: Int
    /// The position of the name on the Hilbert curve through the finest grid.
    public var place: UInt64
    /// The zoom at which the cluster formed.
    public var zoom: Int

    public init(layer: Int, place: UInt64, zoom: Int) {
        self.layer = layer
        self.place = place
        self.zoom = zoom
    }

    /// The least id of a cluster. A point with this id or a greater one may share it with a cluster.
    public static let least: Int64 = 1 << 52
    /// The most layers that an archive has.
    public static let mostLayers = 32
    private static let zoomBits = 5
    private static let placeBits = 2 * NameGrid.finestBits

    /// Splits a number into its parts; nil if it is not the id of a cluster.
    public init?(_ id: Int64) {
        guard id >= Self.least, id < ClusterIDs.limit else { return nil }
        layer = Int(id - Self.least) >> (Self.placeBits + Self.zoomBits)
        place = UInt64(id) >> UInt64(Self.zoomBits) & NameGrid.placeMask
        zoom = Int(id) & ((1 << Self.zoomBits) - 1)
    }

    public var number: Int64 {
        Self.least | Int64(layer) << Int64(Self.placeBits + Self.zoomBits)
            | Int64(place) << Int64(Self.zoomBits) | Int64(zoom)
    }

    public static func < (a: PlaceID, b: PlaceID) -> Bool { a.number < b.number }
}

/// The grid in which the clusters that form at one zoom get their names, one cell for each. A name is given
/// within a square of the world, and nothing outside of it matters.
public struct NameGrid: Sendable {
    /// The number of cells along the side of the world, as a power of two.
    let bits: Int
    /// The zoom of the tiles that are the squares.
    let squareZoom: Int

    /// The finest grid, of two metres at the equator; all others are coarser.
    public static let finestBits = 21
    /// The allowed bits for the side of a tile.
    static let fineness = 5...finestBits

    /// The grid of a zoom.
    /// - Parameters:
    ///   - zoom: the zoom at which the clusters form.
    ///   - fineness: cells along the side of a tile of that zoom, as a power of two.
    public init(zoom: Int, fineness: Int) {
        bits = min(max(zoom + fineness, 8), Self.finestBits)
        squareZoom = min(zoom, Self.deepestSquare)
    }

    /// The deepest zoom of squares. They are tiles of the clusters' zoom or of this one: a cell of a cut build
    /// holds whole squares.
    public static let deepestSquare = 11

    /// How fine names are: with cells of half the radius or less, so that usually no two clusters of a zoom stand
    /// in one; and finer if each group has clusters of its own.
    public static func fineness(radius: RadiusByZoom, isGrouped: Bool) -> Int {
        let least = radius.stops.map(\.pixels).min() ?? 0
        var bits = 1
        while bits < finestBits, 512 / Double(1 << (bits - 1)) > least { bits += 1 }
        return min(max(bits + (isGrouped ? 3 : 0), fineness.lowerBound), fineness.upperBound)
    }

    /// The cell that a position lies in, by its number on the Hilbert curve.
    public func cell(of position: WorldPoint) -> UInt64 {
        let count = Double(1 << bits)
        func cell(_ coordinate: Double) -> UInt32 {
            UInt32(min(max((coordinate * count).rounded(.down), 0), count - 1))
        }
        // The world wraps, except that the east edge of a flat world belongs to the last column.
        let x = position.x == 1 ? 1 : position.x - position.x.rounded(.down)
        return Hilbert.distance(x: cell(x), y: cell(position.y), order: UInt8(bits))
    }

    /// The distance of a name from the cell of a position, as the index has it.
    public func shift(of id: PlaceID, from position: GridPoint) -> Int64 {
        Int64(id.place >> UInt64(2 * (Self.finestBits - bits)))
            - Int64(cell(of: position.worldPoint))
    }

    /// The start of a cell on the curve through the finest grid.
    public func place(ofCell cell: UInt64) -> UInt64 {
        cell << UInt64(2 * (Self.finestBits - bits))
    }

    /// The bits that a place can have.
    static let placeMask: UInt64 = (1 << UInt64(2 * finestBits)) - 1

    /// The cells of the square around a cell.
    func square(around cell: UInt64) -> Range<UInt64> {
        let depth = UInt64(2 * (bits - squareZoom))
        let first = (cell >> depth) << depth
        return first..<(first + (1 << depth))
    }
}
