import Geometry
import JSON

/// A layer of polygons that cover the world, each with the number of points in it: the shape of the polygons, and
/// the zooms that have them.
public struct Bins: Equatable, Sendable {
    public var shape: Shape
    /// The width of a bin in pixels of 512: the distance from its centre to that of the next in a row.
    public var pixels: Int

    public enum Shape: String, CaseIterable, Sendable { case hexagon, square }

    public static let usualPixels = 32
    /// The attribute with the name of a square, as CARTO's quadbin has it, in hexadecimal.
    public static let quadbin = "quadbin"
    public static let pixelRange = 8...256
    /// The deepest zoom with bins. Below it, ids of bins would not be exact whole numbers in JavaScript.
    public static let deepestZoom = 16

    public init(_ shape: Shape, pixels: Int = usualPixels) {
        self.shape = shape
        self.pixels = pixels
    }

    /// Reads `hexagon`, `square` or `hexagon:40`; nil for anything else.
    public init?(spelled text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let shape = Shape(rawValue: String(parts[0])) else { return nil }
        let pixels = parts.count > 1 ? Int(parts[1]) : Self.usualPixels
        guard let pixels, Self.pixelRange.contains(pixels) else { return nil }
        // So four squares make up one of the zoom before, and no square lies in two tiles.
        guard shape == .hexagon || pixels.nonzeroBitCount == 1 else { return nil }
        self.init(shape, pixels: pixels)
    }

    public var text: String { "\(shape.rawValue):\(pixels)" }

    public static let words =
        "hexagon or square, and its width in pixels from \(pixelRange.lowerBound) to "
        + "\(pixelRange.upperBound) (a power of two for squares): hexagon:40"
}

/// The bins of one zoom. Every position is in one of them, and a whole number of them goes around the world.
public struct BinGrid: Sendable {
    private let shape: Bins.Shape
    public let zoom: Int
    /// The number of bins in a row around the world.
    public let columns: Int64

    public init(_ bins: Bins, zoom: Int) {
        shape = bins.shape
        self.zoom = zoom
        columns = Int64((512 / Double(bins.pixels)).rounded()) << Int64(zoom)
    }

    /// The most bits that the number of a bin takes.
    public var bits: Int { 2 * (64 - (2 * columns).leadingZeroBitCount) }

    /// The number of the bin that a position is in: row by row from the north, and from the west within a row.
    ///
    /// It is found for the position as rounded in leaf blocks, so that both agree.
    public func bin(at position: WorldPoint) -> Int64 {
        let point = GridPoint(clamping: position).worldPoint
        let (row, column) = shape == .square ? square(at: point) : hexagon(at: point)
        return row * columns + (column % columns + columns) % columns
    }

    private func square(at point: WorldPoint) -> (row: Int64, column: Int64) {
        let side = Double(columns)
        let row = Int64((point.y * side).rounded(.down))
        return (min(max(row, 0), columns - 1), Int64((point.x * side).rounded(.down)))
    }

    /// The hexagon with the nearest centre, which is in the row above the position or in that below.
    private func hexagon(at point: WorldPoint) -> (row: Int64, column: Int64) {
        let (x, y) = (point.x * Double(columns), point.y * Double(columns) / Self.rowHeight)
        let upper = max(y.rounded(.down), 0)
        func nearest(in row: Double) -> (column: Double, distance: Double) {
            let shift = Self.shift(ofRow: Int64(row))
            let column = (x - shift).rounded()
            let (dx, dy) = (x - shift - column, (y - row) * Self.rowHeight)
            return (column, dx * dx + dy * dy)
        }
        let (above, below) = (nearest(in: upper), nearest(in: upper + 1))
        return above.distance <= below.distance
            ? (Int64(upper), Int64(above.column)) : (Int64(upper) + 1, Int64(below.column))
    }

    /// The distance between rows of hexagons, in widths: √3 / 2.
    private static let rowHeight = 0.75.squareRoot()

    /// Hexagons of every other row are half a width further east.
    private static func shift(ofRow row: Int64) -> Double { row % 2 == 0 ? 0 : 0.5 }

    /// The id of a bin's feature: below 2^52, never 0, and the same in every archive with such bins.
    public func id(of bin: Int64) -> UInt64 {
        let (row, column) = bin.quotientAndRemainder(dividingBy: columns)
        return 1 << 51 | UInt64(zoom) << 46 | UInt64(row) << 23 | UInt64(column)
    }

    /// The name of a square by quadbin: the cell of the quadtree, in hexadecimal.
    public func quadbin(of bin: Int64) -> String? {
        guard shape == .square, columns.nonzeroBitCount == 1 else { return nil }
        let resolution = UInt64(columns.trailingZeroBitCount)
        let (row, column) = bin.quotientAndRemainder(dividingBy: columns)
        var morton: UInt64 = 0
        for bit in 0..<resolution {
            morton |= UInt64(column >> Int64(bit) & 1) << (2 * bit)
            morton |= UInt64(row >> Int64(bit) & 1) << (2 * bit + 1)
        }
        let rest = 52 - 2 * resolution
        let cell = 0x4800_0000_0000_0000 | resolution << 52 | morton << rest | (1 << rest - 1)
        return String(cell, radix: 16)
    }

    /// The corners of a bin in the unit square, clockwise on the map; some may lie beyond the world's edges.
    ///
    /// Neighbouring bins have exactly the same coordinates for the corners that they share.
    public func corners(of bin: Int64) -> [WorldPoint] {
        let (row, column) = bin.quotientAndRemainder(dividingBy: columns)
        if shape == .square {
            return [(0, 0), (1, 0), (1, 1), (0, 1)].map { east, south in
                WorldPoint(
                    x: Double(column + east) / Double(columns),
                    y: Double(row + south) / Double(columns))
            }
        }
        // In halves of a width, and in thirds of the distance to the next row.
        let centre = (x: 2 * column + row % 2, y: 3 * row)
        return [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)].map { east, south in
            WorldPoint(
                x: Double(centre.x + east) / Double(2 * columns),
                y: Double(centre.y + south) * Self.rowHeight / Double(3 * columns))
        }
    }
}

extension ClusterDescription {
    /// The bins beside a layer, as an archive describes them.
    public struct LayerBins: Equatable, Sendable {
        public var bins: Bins
        /// The deepest zoom that has bins.
        public var maxZoom: Int

        public init(_ bins: Bins, maxZoom: Int) {
            self.bins = bins
            self.maxZoom = maxZoom
        }

        static let name = "bins"

        var json: JSONValue {
            [
                "shape": .string(bins.shape.rawValue), "pixels": .integer(Int64(bins.pixels)),
                "maxZoom": .integer(Int64(maxZoom)),
            ]
        }

        init(_ node: JSONNode) throws(JSONError) {
            let shape = try node.required("shape").string
            let pixels = try node.required(.binPixels)
            guard let bins = Bins(spelled: "\(shape):\(pixels)") else {
                throw node.wrong(Bins.words)
            }
            self.init(bins, maxZoom: Int(try node.required(.binsMaxZoom)))
        }
    }
}
