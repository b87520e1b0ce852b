import Geometry

/// The id of a cluster in archives of format 3: a name that says where it stands and at which zoom it
/// formed, and that no point far away has a part in.
///
///     1 | layer, 5 bits | place, 42 bits | zoom, 5 bits
///
/// The leading bit keeps clusters apart from points, whose ids are smaller as a rule.
public struct PlaceID: Hashable, Comparable, Sendable {
    /// Which layer of the archive it is of.
    public var layer: Int
    /// Where its name stands on the Hilbert curve through the finest grid.
    public var place: UInt64
    /// The zoom at which the cluster formed.
    public var zoom: Int

    public init(layer: Int, place: UInt64, zoom: Int) {
        self.layer = layer
        self.place = place
        self.zoom = zoom
    }

    /// The least id of a cluster. A point with a greater one may share it.
    public static let least: Int64 = 1 << 52
    /// An archive has at most so many layers.
    public static let mostLayers = 32
    private static let zoomBits = 5
    private static let placeBits = 2 * NameGrid.finestBits

    /// Takes a number apart; nil if it is no id of a cluster.
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

/// The grid in which the clusters that form at one zoom get their names, one cell for each. A name is
/// given within a square of the world, whatever stands outside of it.
public struct NameGrid: Sendable {
    /// Cells a side of the world, as a power of two.
    let bits: Int
    /// The zoom of the squares.
    let squareZoom: Int

    /// The grid that all others are coarser than: two metres at the equator.
    public static let finestBits = 21
    /// How many bits a side a tile may have.
    static let fineness = 5...finestBits

    /// The grid of a zoom.
    /// - Parameters:
    ///   - zoom: that at which the clusters form.
    ///   - fineness: cells a side of a tile of the zoom, as a power of two.
    public init(zoom: Int, fineness: Int) {
        bits = min(max(zoom + fineness, 8), Self.finestBits)
        squareZoom = min(zoom, Self.deepestSquare)
    }

    /// Squares are tiles of the zoom, and never deeper than this: a cell of a cut build holds whole squares.
    public static let deepestSquare = 11

    /// How fine names are: cells of half the radius or smaller, in which as a rule no two clusters of
    /// a zoom stand; and finer ones where each group has clusters of its own.
    public static func fineness(radius: RadiusByZoom, isGrouped: Bool) -> Int {
        let least = radius.stops.map(\.pixels).min() ?? 0
        var bits = 1
        while bits < finestBits, 512 / Double(1 << (bits - 1)) > least { bits += 1 }
        return min(max(bits + (isGrouped ? 3 : 0), fineness.lowerBound), fineness.upperBound)
    }

    /// The cell in which a position lies, by its number on the Hilbert curve.
    public func cell(of position: WorldPoint) -> UInt64 {
        let count = Double(1 << bits)
        func cell(_ coordinate: Double) -> UInt32 {
            UInt32(min(max((coordinate * count).rounded(.down), 0), count - 1))
        }
        // The world goes round; one with an end has its last column there.
        let x = position.x == 1 ? 1 : position.x - position.x.rounded(.down)
        return Hilbert.distance(x: cell(x), y: cell(position.y), order: UInt8(bits))
    }

    /// How far a name lies from the cell of a position as the index has it.
    public func shift(of id: PlaceID, from position: GridPoint) -> Int64 {
        Int64(id.place >> UInt64(2 * (Self.finestBits - bits)))
            - Int64(cell(of: position.worldPoint))
    }

    /// Where a cell begins on the curve through the finest grid.
    public func place(ofCell cell: UInt64) -> UInt64 {
        cell << UInt64(2 * (Self.finestBits - bits))
    }

    /// The bits that a place may have.
    static let placeMask: UInt64 = (1 << UInt64(2 * finestBits)) - 1

    /// The cells of the square around a cell.
    func square(around cell: UInt64) -> Range<UInt64> {
        let depth = UInt64(2 * (bits - squareZoom))
        let first = (cell >> depth) << depth
        return first..<(first + (1 << depth))
    }
}
