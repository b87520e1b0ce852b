/// The precision of moments.
public enum DateUnit: String, CaseIterable, Sendable {
    case year, quarter, month, week, day, hour
}
