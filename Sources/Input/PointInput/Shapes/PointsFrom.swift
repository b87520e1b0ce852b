/// The point that represents a line or an area.
public enum PointsFrom: String, CaseIterable, Sendable {
    /// The centre of the area, or of the length; it may be outside of a bent shape.
    case centroid
    /// A point on the line or in the area.
    case inside
    /// The first vertex.
    case first
    /// No point: all rings of an area, for regions. An infinite position precedes each.
    case outline

    /// The choices for users.
    public static let allCases: [PointsFrom] = [.centroid, .inside, .first]
}
