/// How near nodes must be to merge, in pixels of a 512-pixel tile; it may vary by zoom.
public struct Radius: Equatable, Sendable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    /// The radius at the highest stop at or below a zoom counts; the first serves those before it.
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

    public func pixels(atZoom zoom: Int) -> Double {
        (stops.last { $0.zoom <= zoom } ?? stops.first)?.pixels ?? 0
    }

    /// The radius in the unit square.
    public func distance(atZoom zoom: Int) -> Double {
        pixels(atZoom: zoom) / (512 * Double(UInt64(1) << UInt64(zoom)))
    }
}
