/// The world cut into horizontal bands, at least as high as the radius.
///
/// A level's nodes are sorted by band, then x. So the neighbours of a node lie in three runs of
/// consecutive nodes: beside it, in the band above, and in the band below.
struct Bands: Equatable, Sendable {
    let radius: Double
    let squaredRadius: Double
    /// How far east and west to look: a little more than the radius, so that rounding errors
    /// never hide a node that the distance test would accept.
    let reach: Double
    /// Bands in the height of the world.
    let scale: Double

    /// Bands for finding what lies within `radius`.
    init(radius: Double) {
        self.radius = radius
        squaredRadius = radius * radius
        reach = radius * (1 + 1e-9) + 2 * Nearness.tieWidth
        // A band index carries a rounding error of up to 2^-22 (2^30 bands, 53 bits), so bands
        // are higher than the radius by more than that.
        scale = 1 / max(radius * (1 + 1e-6), 0x1p-30)
    }

    /// Bands of a grid whose cells have that side.
    init(cellSide: Double) {
        radius = cellSide
        squaredRadius = 0
        reach = 0
        scale = 1 / cellSide
    }

    @inline(__always)
    func band(_ y: Double) -> Int { Int(y * scale) }

    /// How many bits a band's number takes.
    var bits: Int { Int.bitWidth - band(1).leadingZeroBitCount }

    /// Whether each of these bands is made of two of the others.
    func joinsPairs(of finer: Bands) -> Bool { scale * 2 == finer.scale }
}
