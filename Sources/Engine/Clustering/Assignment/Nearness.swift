/// Decides by the square of a distance what is within the radius, and where the last bits of means matter.
struct Nearness: Sendable {
    /// Up to `maybe`, squares below this are within the radius; the rest are ties. Infinite if ties are not
    /// watched.
    let surely: Double
    /// Squares above this are outside the radius.
    let maybe: Double

    /// Distances that differ from the radius by less than this are ties: the last bits of a mean may decide, and
    /// these depend on the order in which it was summed up.
    static let tieWidth = 0x1p-48

    init(radius: Double, watchesTies: Bool) {
        let (least, most) = (max(radius - Self.tieWidth, 0), radius + Self.tieWidth)
        surely = watchesTies ? least * least : .infinity
        maybe = watchesTies ? most * most : radius * radius
    }
}
