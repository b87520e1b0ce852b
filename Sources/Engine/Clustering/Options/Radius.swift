/// How near nodes must be to merge, in pixels of a 512-pixel tile; it may vary by zoom.
public struct Radius: Equatable, Sendable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    /// A zoom has the radius of the highest stop at or below it; zooms before the first stop have that of the
    /// first.
    public let stops: [Stop]

    public struct Stop: Equatable, Sendable {
        public var zoom: Int
        public var pixels: Double

        public init(zoom: Int, pixels: Double) {
            self.zoom = zoom
            self.pixels = pixels
        }
    }

    public init(_ pixels: Double) { stops = [Stop(zoom: 0, pixels: pixels)] }

    public init(floatLiteral pixels: Double) { self.init(pixels) }

    public init(integerLiteral pixels: Int) { self.init(Double(pixels)) }

    /// A radius that changes at certain zooms: `["0": 80, "10": 40]` in a recipe.
    public init(stops: [Int: Double]) {
        self.stops = stops.sorted { $0.key < $1.key }.map { Stop(zoom: $0.key, pixels: $0.value) }
    }

    /// The nearest radius that divides the world's width evenly at every zoom: a grid then has no narrower cells
    /// at the antimeridian.
    ///
    /// Cells of a later stop fit into those before it.
    public var fittedToWorld: Radius {
        // Cells without a width are refused as they are.
        guard stops.contains(where: { $0.pixels > 0 }) else { return self }
        var fitted: [Int: Double] = [:]
        var before: Double?
        for stop in stops where stop.pixels > 0 {
            let wanted = 512 / stop.pixels
            let part = before.map { $0 / 2 } ?? 1
            let cells = part * max((wanted / part).rounded(), 1)
            before = cells
            fitted[stop.zoom] = 512 / cells
        }
        return Radius(stops: fitted)
    }

    public func pixels(atZoom zoom: Int) -> Double {
        (stops.last { $0.zoom <= zoom } ?? stops.first)?.pixels ?? 0
    }

    /// The largest radius, the width of the world at the deepest zoom. Archives have the same limit.
    public static let mostPixels = 0x1p41

    /// The radius in the unit square.
    public func distance(atZoom zoom: Int) -> Double {
        pixels(atZoom: zoom) / (512 * Double(UInt64(1) << UInt64(zoom)))
    }
}
