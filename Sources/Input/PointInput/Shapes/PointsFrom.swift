/// Which point stands for a line or an area.
public enum PointsFrom: String, CaseIterable, Sendable {
    /// The centre of the area, else of the length; it may lie outside of what is bent.
    case centroid
    /// A point on the line or in the area.
    case inside
    /// The first vertex.
    case first
}
