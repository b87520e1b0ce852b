import CLibrary
import Geometry
import Recipes

/// How far from its position a map may draw a point.
struct DrawnPrecision {
    /// The most that rounding moves a point along each axis, as a part of the world's side.
    private let part: Double

    /// MapLibre GL JS divides the side of a tile into 2^13 units, whatever the tile's extent.
    private static let unitBits = 13
    /// The length of the equator in metres (WGS 84).
    private static let world = 2 * Double.pi * 6_378_137

    /// - Parameter zoom: the deepest zoom of the tiles, which maps magnify further.
    init(ofDeepest zoom: UInt8, _ options: TileOptions) {
        let bits = Int(options.deepestExtentBits(at: zoom))
        func half(_ bits: Int) -> Double { 0.5 * pow(2, -Double(Int(zoom) + bits)) }
        // Rounded to a unit of the tile, and again where the client's units are coarser. Before
        // both, positions are rounded to 2^-32 of the world.
        part = half(bits) + (bits > Self.unitBits ? half(Self.unitBits) : 0) + 0x1p-33
    }

    /// The distance on the ground of a point that is rounded as far as possible along both axes.
    func metres(at latitude: Double) -> Double {
        Self.metres(ofPart: 2.0.squareRoot() * part, at: latitude)
    }

    /// The length on the ground of a part of the world's side.
    static func metres(ofPart part: Double, at latitude: Double) -> Double {
        part * world * cos(latitude * .pi / 180)
    }

    /// A length in metres, as text.
    static func text(_ metres: Double) -> String {
        switch metres {
        case ..<0.1: "\((metres * 100).rounded(.up) / 100) m"
        case ..<10: "\((metres * 10).rounded(.up) / 10) m"
        case ..<10_000: "\(Int(metres.rounded(.up))) m"
        default: "\(Int((metres / 1_000).rounded(.up))) km"
        }
    }
}
