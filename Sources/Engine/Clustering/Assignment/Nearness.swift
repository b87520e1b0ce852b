/// What is within the radius, by the square of its distance, whatever the last bits of means are.
struct Nearness: Sendable {
    /// What is nearer is within the radius; all that is, where ties are not watched.
    let surely: Double
    /// What is further is not. Between the two is a tie.
    let maybe: Double

    /// Distances that differ from the radius by less than this are ties: the last bits of a mean, which
    /// follow from the order in which it was summed up, may decide.
    static let tieWidth = 0x1p-48

    init(radius: Double, watchesTies: Bool) {
        let (least, most) = (max(radius - Self.tieWidth, 0), radius + Self.tieWidth)
        surely = watchesTies ? least * least : .infinity
        maybe = watchesTies ? most * most : radius * radius
    }
}
