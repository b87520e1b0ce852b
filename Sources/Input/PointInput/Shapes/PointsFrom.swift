/// Which point stands for a line or an area.
public enum PointsFrom: String, CaseIterable, Sendable {
    /// The centre of the area, else of the length; it may lie outside of what is bent.
    case centroid
    /// A point on the line or in the area.
    case inside
    /// The first vertex.
    case first
    /// No point: all of an area's rings, for regions. An infinite position stands before each.
    case outline

    /// Those that a person chooses among.
    public static let allCases: [PointsFrom] = [.centroid, .inside, .first]
}
